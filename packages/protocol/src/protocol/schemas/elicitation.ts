import * as z from 'zod';
import type * as t from '../types.ts';
import { requesting, resulting } from './base.ts';
import {
  byMember,
  choose,
  type Facts,
  mapOf,
  memberOf,
  object,
  openObject,
  optional,
  perRevision,
  requiredIn,
} from './shape.ts';
import { augmenting } from './tasks.ts';

const naming = () => ({ title: optional(z.string()), description: optional(z.string()) });
const titled = () =>
  z.array(object<{ const: string; title: string }>({ const: z.string(), title: z.string() }));

/**
 * Returns a text field: free text or one of several values. Like the official schema, it accepts any form
 * that matches.
 */
function textFields(has: Facts): z.ZodType<t.PrimitiveSchemaDefinition> {
  const field = { ...naming(), type: z.literal('string'), default: optional(z.string(), has.icons) };
  const free = object<t.StringSchema>({
    ...field,
    minLength: optional(z.int()),
    maxLength: optional(z.int()),
    format: optional(z.enum(['email', 'uri', 'date', 'date-time'])),
  });
  const choice = object<t.UntitledSingleSelectEnumSchema>({ ...field, enum: z.array(z.string()) });
  const named = object<t.LegacyTitledEnumSchema>({
    ...field,
    enum: z.array(z.string()),
    enumNames: optional(z.array(z.string())),
  });
  if (!has.icons) return z.union([free, named]);
  return z.union([
    free,
    choice,
    object<t.TitledSingleSelectEnumSchema>({ ...field, oneOf: titled() }),
    named,
  ]);
}

function numberField(has: Facts): z.ZodType<t.NumberSchema> {
  return object<t.NumberSchema>({
    ...naming(),
    type: z.enum(['number', 'integer']),
    minimum: optional(z.number()),
    maximum: optional(z.number()),
    default: optional(z.number(), has.icons),
  });
}

function multipleChoice(): z.ZodType<t.UntitledMultiSelectEnumSchema | t.TitledMultiSelectEnumSchema> {
  const field = {
    ...naming(),
    type: z.literal('array'),
    minItems: optional(z.int()),
    maxItems: optional(z.int()),
    default: optional(z.array(z.string())),
  };
  const items = object<t.UntitledMultiSelectEnumSchema['items']>({
    type: z.literal('string'),
    enum: z.array(z.string()),
  });
  const anyOf = object<t.TitledMultiSelectEnumSchema['items']>({ anyOf: titled() });
  return z.union([
    object<t.UntitledMultiSelectEnumSchema>({ ...field, items }),
    object<t.TitledMultiSelectEnumSchema>({ ...field, items: anyOf }),
  ]);
}

const field = perRevision<t.PrimitiveSchemaDefinition>((has) => {
  const number = numberField(has);
  return byMember<t.PrimitiveSchemaDefinition>('type', {
    string: textFields(has),
    number,
    integer: number,
    boolean: object<t.BooleanSchema>({
      ...naming(),
      type: z.literal('boolean'),
      default: optional(z.boolean()),
    }),
    ...(has.icons && { array: multipleChoice() }),
  });
});

function asking(has: Facts) {
  return {
    // input requests inside a result are not requests, so they have no request `_meta`
    _meta: has.stateless ? optional(openObject()) : requesting(has)._meta,
    ...augmenting(has),
    message: z.string(),
  };
}

export const elicitRequestFormParams = perRevision<t.ElicitRequestFormParams>((has) =>
  object<t.ElicitRequestFormParams>({
    ...asking(has),
    mode: optional(z.literal('form'), has.icons),
    requestedSchema: object<t.ElicitRequestFormParams['requestedSchema']>({
      $schema: optional(z.string(), has.icons),
      type: z.literal('object'),
      properties: mapOf(field(has)),
      required: optional(z.array(z.string())),
    }),
  }),
);

export const elicitRequestURLParams = perRevision<t.ElicitRequestURLParams>((has) =>
  object<t.ElicitRequestURLParams>({
    ...asking(has),
    mode: z.literal('url'),
    url: z.string(),
    elicitationId: requiredIn(has.tasks, z.string()),
  }),
);

export const elicitRequestParams = perRevision<t.ElicitRequestParams>((has) => {
  const form = elicitRequestFormParams(has);
  if (!has.icons) return form;
  const url = elicitRequestURLParams(has);
  return choose<t.ElicitRequestParams>((value) => (memberOf(value, 'mode') === 'url' ? url : form));
});

export const elicitResult = perRevision<t.ElicitResult>((has) => {
  // the official schemas have `integer` here by a fault of their generator; any number is meant
  const single = [z.string(), z.number(), z.boolean()] as const;
  const value = has.icons ? z.union([...single, z.array(z.string())]) : z.union(single);
  return object<t.ElicitResult>({
    ...resulting(has),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: optional(mapOf<string | number | boolean | string[]>(value)),
  });
});
