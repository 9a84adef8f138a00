import * as z from 'zod';
import type * as t from '../types.ts';
import { resulting } from './base.ts';
import { elicitRequestParams, elicitResult } from './elicitation.ts';
import { listRootsResult } from './roots.ts';
import { createMessageRequestParams, createMessageResult } from './sampling.ts';
import {
  byMember,
  choose,
  type Facts,
  mapOf,
  memberOf,
  object,
  openObject,
  optional,
  type PerRevision,
  perRevision,
} from './shape.ts';

type Ask<M extends t.InputRequest['method']> = Extract<t.InputRequest, { method: M }>;

/** Params of an input request for roots, which has none of its own. */
export const listRootsParams = perRevision<{ _meta?: t.MetaObject } | undefined>(() =>
  object<{ _meta?: t.MetaObject }>({ _meta: optional(openObject()) }).optional(),
);

const inputRequest = perRevision<t.InputRequest>((has) =>
  byMember<t.InputRequest>('method', {
    'elicitation/create': object<Ask<'elicitation/create'>>({
      method: z.literal('elicitation/create'),
      params: elicitRequestParams(has),
    }),
    'sampling/createMessage': object<Ask<'sampling/createMessage'>>({
      method: z.literal('sampling/createMessage'),
      params: createMessageRequestParams(has),
    }),
    'roots/list': object<Ask<'roots/list'>>({
      method: z.literal('roots/list'),
      params: listRootsParams(has),
    }),
  }),
);

const inputResponse = perRevision<t.InputResponse>((has) => {
  const [form, roots, message] = [elicitResult(has), listRootsResult(has), createMessageResult(has)];
  return choose<t.InputResponse>((value) => {
    if (memberOf(value, 'action') !== undefined) return form;
    return memberOf(value, 'roots') === undefined ? message : roots;
  });
});

/** Returns the members of a request that may be repeated with input responses. */
export function retrying(has: Facts) {
  return {
    inputResponses: optional(mapOf(inputResponse(has)), has.stateless),
    requestState: optional(z.string(), has.stateless),
  };
}

export const inputRequiredResult = perRevision<t.InputRequiredResult>((has) =>
  object<t.InputRequiredResult>({
    ...resulting(has),
    resultType: z.literal('input_required'),
    inputRequests: optional(mapOf(inputRequest(has))),
    requestState: optional(z.string()),
  }),
);

/** Returns the schema of a result or, in the stateless era, of input requests; `resultType` distinguishes them. */
export function orInputRequired<T>(complete: PerRevision<T>): PerRevision<T | t.InputRequiredResult> {
  return perRevision<T | t.InputRequiredResult>((has) => {
    const final = complete(has);
    if (!has.stateless) return final;
    const questions = inputRequiredResult(has);
    return choose<T | t.InputRequiredResult>((value) =>
      memberOf(value, 'resultType') === 'input_required' ? questions : final,
    );
  });
}
