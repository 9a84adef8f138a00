import * as z from 'zod';
import type * as t from '../types.ts';
import { requesting, resulting } from './base.ts';
import { byMember, mapOf, object, optional, perRevision } from './shape.ts';

const reference = perRevision<t.CompleteRequestParams['ref']>((has) =>
  byMember<t.CompleteRequestParams['ref']>('type', {
    'ref/prompt': object<t.PromptReference>({
      type: z.literal('ref/prompt'),
      name: z.string(),
      title: optional(z.string(), has.structured),
    }),
    'ref/resource': object<t.ResourceTemplateReference>({ type: z.literal('ref/resource'), uri: z.string() }),
  }),
);

export const completeRequestParams = perRevision<t.CompleteRequestParams>((has) =>
  object<t.CompleteRequestParams>({
    ...requesting(has),
    ref: reference(has),
    argument: object<t.CompleteRequestParams['argument']>({ name: z.string(), value: z.string() }),
    context: optional(
      object<NonNullable<t.CompleteRequestParams['context']>>({ arguments: optional(mapOf(z.string())) }),
      has.structured,
    ),
  }),
);

export const completeResult = perRevision<t.CompleteResult>((has) =>
  object<t.CompleteResult>({
    ...resulting(has),
    completion: object<t.CompleteResult['completion']>({
      values: has.stateless ? z.array(z.string()).max(100) : z.array(z.string()),
      total: optional(z.int()),
      hasMore: optional(z.boolean()),
    }),
  }),
);
