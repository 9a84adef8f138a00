import { isObject } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';

type Form = t.ElicitRequestFormParams['requestedSchema'];
type Content = NonNullable<t.ElicitResult['content']>;

/** A form in the schema of 2025-06-18, and the conversion of its content back. */
export interface OlderForm {
  requestedSchema: Form;
  restore(content: unknown): unknown;
}

/** One value of a multi-select field, as a boolean field. */
interface ChoiceField {
  field: string;
  value: string;
}

/**
 * Converts a form to 2025-06-18: titles of values become `enumNames`, a multi-select field becomes one
 * boolean field per value, and defaults of other fields are left out.
 * Source: https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation#requested-schema
 */
export function olderForm({ properties, required = [] }: Form): OlderForm {
  const fields: Record<string, t.PrimitiveSchemaDefinition> = {};
  const choiceFields = new Map<string, ChoiceField>();
  const requiredNames = required.filter((name) => properties[name]?.type !== 'array');
  for (const [name, field] of Object.entries(properties)) {
    if (field.type !== 'array') {
      fields[name] = olderField(field);
      continue;
    }
    for (const { value, title } of choicesOf(field)) {
      const key = freeName(`${name}: ${value}`, [...Object.keys(properties), ...choiceFields.keys()]);
      choiceFields.set(key, { field: name, value });
      fields[key] = booleanFieldOf(name, field, value, title);
    }
  }
  return {
    requestedSchema: {
      type: 'object',
      properties: fields,
      ...(requiredNames.length > 0 && { required: requiredNames }),
    },
    restore: (content) => (isObject(content) ? restoreContent(content as Content, choiceFields) : content), // the question's read checks it
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

function booleanFieldOf(name: string, field: List, value: string, title: string): t.BooleanSchema {
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

/** Converts boolean fields back to a list; a list without any of its fields in the content stays absent. */
function restoreContent(content: Content, choiceFields: ReadonlyMap<string, ChoiceField>): Content {
  const whole: Content = {};
  for (const [key, given] of Object.entries(content)) {
    const choice = choiceFields.get(key);
    if (choice === undefined) {
      whole[key] = given;
      continue;
    }
    const list = whole[choice.field];
    whole[choice.field] = [...(Array.isArray(list) ? list : []), ...(given === true ? [choice.value] : [])];
  }
  return whole;
}
