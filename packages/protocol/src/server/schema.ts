import * as z from 'zod';
import type * as t from '../protocol/types.ts';

const KEPT_BOUNDS = new Set(['minimum', 'maximum']);

/**
 * The JSON Schema of a zod schema as clients and model vendors accept it: 2020-12 without `$schema`, no
 * `format`, no bounds that only say "safe integer".
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): t.JSONSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: node }) => {
      delete node.format;
      for (const bound of KEPT_BOUNDS) {
        const key = bound as 'minimum' | 'maximum'; // holds: the set lists these two
        if (Math.abs(Number(node[key] ?? 0)) === Number.MAX_SAFE_INTEGER) delete node[key];
      }
    },
  });
  return rest;
}

/** The schema of a tool's arguments; `type` is always `object`. */
export function argumentSchema(schema: z.ZodObject): t.Tool['inputSchema'] {
  const { type: _type, ...rest } = jsonSchema(schema, 'input');
  return { type: 'object', ...rest };
}

const formFormats = new Set<unknown>(['date', 'date-time', 'email', 'uri']);

function isField({ type, items }: z.core.JSONSchema.BaseSchema): boolean {
  if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return true;
  // a list is one of choices
  return type === 'array' && typeof items === 'object' && !Array.isArray(items) && items.enum !== undefined;
}

/** The schema of a form: a flat object of primitive fields, or a TypeError that names the field that is not. */
export function formSchema(fields: z.ZodObject): t.ElicitRequestFormParams['requestedSchema'] {
  const { properties = {}, required } = z.toJSONSchema(fields, { io: 'input' });
  for (const [name, property] of Object.entries(properties)) {
    if (typeof property === 'object' && !formFormats.has(property.format)) delete property.format;
    if (typeof property !== 'object' || !isField(property)) {
      throw new TypeError(`form field ${name} must be a string, number, boolean or list of choices`);
    }
  }
  return {
    type: 'object',
    properties: properties as Record<string, t.PrimitiveSchemaDefinition>, // checked above
    ...(required !== undefined && required.length > 0 && { required }),
  };
}
