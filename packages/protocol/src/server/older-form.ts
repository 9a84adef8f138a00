import { isObject } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';

type Form = t.ElicitRequestFormParams['requestedSchema'];
type Content = NonNullable<t.ElicitResult['content']>;

/** A form as 2025-06-18 can say it, and the way back of its answer. */
export interface OlderForm {
  requestedSchema: Form;
  restore(content: unknown): unknown;
}

/** One choice of a list, as a field of its own. */
interface Box {
  field: string;
  value: string;
}

/**
 * A form without what came after 2025-06-18: titles of choices stand beside them as `enumNames`, a list of choices
 * becomes one box for each, and defaults other than of boxes are left to the server.
 * Source: https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation#requested-schema
 */
export function olderForm({ properties, required = [] }: Form): OlderForm {
  const fields: Record<string, t.PrimitiveSchemaDefinition> = {};
  const boxes = new Map<string, Box>();
  const kept = required.filter((name) => properties[name]?.type !== 'array');
  for (const [name, field] of Object.entries(properties)) {
    if (field.type !== 'array') {
      fields[name] = olderField(field);
      continue;
    }
    for (const { value, title } of choicesOf(field)) {
      const key = freeName(`${name}: ${value}`, [...Object.keys(properties), ...boxes.keys()]);
      boxes.set(key, { field: name, value });
      fields[key] = boxOf(name, field, value, title);
    }
  }
  return {
    requestedSchema: { type: 'object', properties: fields, ...(kept.length > 0 && { required: kept }) },
    restore: (content) => (isObject(content) ? restored(content as Content, boxes) : content), // its need checks it
  };
}

type List = Extract<t.PrimitiveSchemaDefinition, { type: 'array' }>;

function olderField(field: Exclude<t.PrimitiveSchemaDefinition, List>): t.PrimitiveSchemaDefinition {
  if (field.type === 'boolean') return field;
  const { default: _default, ...rest } = field;
  if (!('oneOf' in rest)) return rest;
  const { oneOf, ...named } = rest;
  return { ...named, enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map(({ title }) => title) };
}

function choicesOf({ items }: List): { value: string; title: string }[] {
  return 'enum' in items
    ? items.enum.map((value) => ({ value, title: value }))
    : items.anyOf.map((choice) => ({ value: choice.const, title: choice.title }));
}

function boxOf(name: string, field: List, value: string, title: string): t.BooleanSchema {
  const about = [field.title ?? name, field.description, boundsOf(field)].filter(
    (part) => part !== undefined,
  );
  return {
    type: 'boolean',
    title,
    description: about.join('; '),
    default: field.default?.includes(value) === true,
  };
}

function boundsOf({ minItems, maxItems }: List): string | undefined {
  if (minItems !== undefined && maxItems !== undefined) return `choose ${minItems} to ${maxItems}`;
  if (minItems !== undefined) return `choose at least ${minItems}`;
  return maxItems === undefined ? undefined : `choose at most ${maxItems}`;
}

function freeName(wanted: string, taken: readonly string[]): string {
  return taken.includes(wanted) ? freeName(`${wanted}_`, taken) : wanted;
}

/** Boxes that are ticked become the list again; a list of which no box came back stays absent. */
function restored(content: Content, boxes: ReadonlyMap<string, Box>): Content {
  const whole: Content = {};
  for (const [key, given] of Object.entries(content)) {
    const box = boxes.get(key);
    if (box === undefined) {
      whole[key] = given;
      continue;
    }
    const list = whole[box.field];
    whole[box.field] = [...(Array.isArray(list) ? list : []), ...(given === true ? [box.value] : [])];
  }
  return whole;
}
