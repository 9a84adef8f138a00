import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export const revisionNames = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisionNames)[number];

/** The subset of JSON Schema that the official schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

export type Definitions = Record<string, Schema>;

/** One revision's official schema, with a validator for each definition. */
export interface Official {
  revision: Revision;
  definitions: Definitions;
  /** returns a reference to a definition of this schema */
  ref: (name: string) => Schema;
  compile: (schema: Schema) => ValidateFunction;
}

const loaded = new Map<Revision, Official>();

/** Returns the official schema of a revision, which is read once. */
export function official(revision: Revision): Official {
  let schema = loaded.get(revision);
  if (schema === undefined) {
    schema = read(revision);
    loaded.set(revision, schema);
  }
  return schema;
}

function read(revision: Revision): Official {
  const text = readFileSync(new URL(`./${revision}.json`, import.meta.url), 'utf8');
  const document = JSON.parse(text) as { $schema: string; $defs?: Definitions; definitions?: Definitions };
  const keyword = document.$defs === undefined ? 'definitions' : '$defs';
  const definitions = (document.$defs ?? document.definitions)!;
  const options = { strict: false, allowUnionTypes: true };
  const ajv = document.$schema.includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  return {
    revision,
    definitions,
    ref: (name) => ({ $ref: `#/${keyword}/${name}` }),
    compile: (schema) => {
      const key = JSON.stringify(schema);
      let validate = compiled.get(key);
      if (validate === undefined) {
        validate = ajv.compile({ allOf: [schema], [keyword]: definitions });
        compiled.set(key, validate);
      }
      return validate;
    },
  };
}

/** Returns the definition of a reference. */
export function resolve(definitions: Definitions, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return definitions[nameOf(schema.$ref)]!;
}

/** Returns the last part of a reference. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Returns the members of a union of messages by method, with the names of their definitions. */
export function byMethod(schema: Official, union: string): Map<string, string> {
  const definition = schema.definitions[union];
  const found = new Map<string, string>();
  if (definition === undefined) return found;
  // a union with one member is inlined, without its name
  const names = definition.anyOf?.map((part) => nameOf(part.$ref!)) ?? [nameless(schema, definition)];
  for (const name of names) {
    const method = schema.definitions[name]?.properties?.method?.const;
    if (typeof method === 'string') found.set(method, name);
  }
  return found;
}

function nameless(schema: Official, definition: Schema): string {
  if (definition.$ref !== undefined) return nameOf(definition.$ref);
  const method = definition.properties?.method?.const;
  const match = Object.entries(schema.definitions).find(
    ([name, other]) =>
      !name.startsWith('Client') && !name.startsWith('Server') && other.properties?.method?.const === method,
  );
  if (match === undefined) throw new Error(`${schema.revision} has no definition of ${String(method)}`);
  return match[0];
}

/** Returns the definition of the result of a request, or the empty result. */
export function resultName(schema: Official, request: string): string {
  const name = request.replace(/Request$/, 'Result');
  return schema.definitions[name] === undefined ? 'EmptyResult' : name;
}

/** Returns the definition of the error response with a code, if the revision has one. */
export function errorName(schema: Official, code: unknown): string | undefined {
  for (const [name, definition] of Object.entries(schema.definitions)) {
    const parts = definition.properties?.error?.allOf ?? [];
    if (parts.some((part) => part.properties?.code?.const === code && code !== undefined)) return name;
  }
  return undefined;
}
