import * as z from 'zod';
import { headerParamsOf } from '../protocol/headers.ts';
import { namesSecret } from '../protocol/secret-names.ts';
import type * as t from '../protocol/types.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const KEPT_BOUNDS = new Set(['minimum', 'maximum']);

/**
 * Returns the JSON Schema of a zod schema in the form that clients and model vendors accept: 2020-12 without
 * `$schema` unless its metadata sets it, without `format`, and without the bounds of safe integers. Members
 * of an output with `unlisted: true` are left out, so that every valid output stays valid.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): t.JSONSchema {
  const { $schema, ...all } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: node, zodSchema }) => {
      // future results with more members must match the schema that a client has cached
      if (io === 'output' && isPlainObject(zodSchema)) delete node.additionalProperties;
      // clients do not fetch references
      if (node.$ref !== undefined && !node.$ref.startsWith('#'))
        throw new TypeError(`$ref ${JSON.stringify(node.$ref)} must stay within its schema`);
      delete node.format;
      for (const bound of KEPT_BOUNDS) {
        const key = bound as 'minimum' | 'maximum'; // the set contains these two
        if (Math.abs(Number(node[key] ?? 0)) === Number.MAX_SAFE_INTEGER) delete node[key];
      }
    },
  });
  const rest = io === 'output' ? (without(all, new Set()) as Schema) : all; // only keywords are removed
  const noted = z.globalRegistry.get(schema)?.$schema;
  if (noted === undefined) return rest;
  // the schema is written as 2020-12, whatever its metadata says
  if (noted !== DIALECT)
    throw new TypeError(`$schema ${JSON.stringify(noted)} is not supported; it must be ${DIALECT}`);
  return { $schema, ...rest };
}

const noShape: ReadonlySet<string> = new Set([
  ...['title', 'description', 'required', 'enum', 'const', 'propertyNames', 'minimum', 'maximum'],
]);

/** Returns only the names and types of an output schema; every valid output stays valid. */
export function shapeOf(schema: z.ZodType): t.JSONSchema {
  return without(jsonSchema(schema, 'output'), noShape) as t.JSONSchema; // only keywords are removed
}

/** Returns only the type of an output schema. */
export function kindOf(schema: z.ZodType): t.JSONSchema {
  const { type } = shapeOf(schema);
  return { ...(type !== undefined && { type }) };
}

/** Returns a schema without some keywords, and without unlisted members. */
function without(node: unknown, keywords: ReadonlySet<string>, namesProperties = false): unknown {
  if (Array.isArray(node)) return node.map((one: unknown) => without(one, keywords));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) =>
        namesProperties || key === 'items' ? !isUnlisted(value) : !keywords.has(key),
      )
      .map(([key, value]) => [key, without(value, keywords, key === 'properties' && !namesProperties)]),
  );
}

function isUnlisted(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'unlisted' in node && node.unlisted === true;
}

/** Returns true for an object whose author has not restricted further members. */
function isPlainObject(schema: z.core.$ZodType): boolean {
  return schema instanceof z.core.$ZodObject && schema._zod.def.catchall === undefined;
}

/** Returns the schema of a tool's arguments; `type` is always `object`. */
export function argumentSchema(schema: z.ZodObject): t.Tool['inputSchema'] {
  const { type: _type, ...rest } = jsonSchema(schema, 'input');
  // an invalid x-mcp-header must fail at the author, not at the client
  headerParamsOf(rest);
  return { type: 'object', ...rest };
}

const formFormats = new Set<unknown>(['date', 'date-time', 'email', 'uri']);

/** Returns the schema of a form, a flat object of primitive fields; throws a TypeError that names any other field. */
export function formSchema(fields: z.ZodObject): t.ElicitRequestFormParams['requestedSchema'] {
  const { properties = {}, required } = z.toJSONSchema(fields, { io: 'input' });
  const definitions = Object.entries(properties).map(([name, property]) => {
    if (namesSecret(name))
      throw new TypeError(`form field ${name} asks for a secret; send the user to a page with url()`);
    const field = typeof property === 'object' ? asField(property) : undefined;
    if (field !== undefined) return [name, field] as const;
    throw new TypeError(`form field ${name} must be a string, number, boolean or list of choices`);
  });
  return {
    type: 'object',
    // `asField` returns no others
    properties: Object.fromEntries(definitions) as Record<string, t.PrimitiveSchemaDefinition>,
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

/**
 * Returns the schema of one field with the keywords that forms have, or undefined if forms have no such
 * field. Other keywords, such as a pattern, are checked when the response is read.
 */
function asField({ format, anyOf, items, ...rest }: Schema): object | undefined {
  if (anyOf !== undefined) {
    const oneOf = asChoices(anyOf);
    return oneOf && { ...pick(rest, 'title', 'description', 'default'), type: 'string', oneOf };
  }
  const naming = pick(rest, 'type', 'title', 'description', 'default');
  if (rest.type === 'boolean') return naming;
  if (rest.type === 'string') {
    if (typeof rest.const === 'string') return { ...naming, enum: [rest.const] };
    const kept = pick(rest, 'minLength', 'maxLength', 'enum', 'enumNames', 'oneOf');
    return { ...naming, ...kept, ...(formFormats.has(format) && { format }) };
  }
  if (rest.type === 'number' || rest.type === 'integer')
    return rest.const === undefined ? { ...naming, ...boundsOf(rest) } : undefined;
  if (rest.type !== 'array' || typeof items !== 'object' || Array.isArray(items)) return undefined;
  const choices = asItems(items);
  return choices && { ...naming, ...pick(rest, 'minItems', 'maxItems'), items: choices };
}

function pick(schema: Schema, ...names: string[]): object {
  return Object.fromEntries(names.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));
}

/** Returns the bounds of a number that forms support; the bounds of safe integers are left out. */
function boundsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): object {
  const whole = type === 'integer';
  const least = whole && typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  const most = whole && typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : maximum;
  return {
    ...(least !== undefined && least !== -Number.MAX_SAFE_INTEGER && { minimum: least }),
    ...(most !== undefined && most !== Number.MAX_SAFE_INTEGER && { maximum: most }),
  };
}

/** Returns the items of a multi-select field, with titles or without. */
function asItems(items: Schema): object | undefined {
  if (items.enum !== undefined) return pick(items, 'type', 'enum');
  if (typeof items.const === 'string') return { type: 'string', enum: [items.const] };
  const anyOf = items.anyOf && asChoices(items.anyOf);
  return anyOf && { anyOf };
}

/** Returns values with their titles, if the schemas contain nothing else. */
function asChoices(schemas: readonly (Schema | boolean)[]): { const: string; title: string }[] | undefined {
  const choices = schemas.flatMap((schema) =>
    typeof schema === 'object' && typeof schema.const === 'string'
      ? [{ const: schema.const, title: schema.title ?? schema.const }]
      : [],
  );
  return choices.length === schemas.length ? choices : undefined;
}
