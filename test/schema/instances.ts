import { isDeepStrictEqual } from 'node:util';
import { type Definitions, nameOf, resolve, type Schema } from './official.ts';

/** A JSON value that is built from a schema. */
export type Instance = unknown;

/** The removal or replacement of one member; `value` is undefined for a removal. */
export interface Mutation {
  path: readonly (string | number)[];
  value: unknown;
  instance: Instance;
}

const formats: Record<string, string> = { uri: 'file:///a', byte: 'YQ==', 'uri-template': 'file:///{path}' };
const samples: Record<string, readonly unknown[]> = {
  string: ['text'],
  integer: [1],
  number: [0.5, 1],
  boolean: [true, false],
  null: [null],
};
const anything = [{ any: [1] }, 'text', null];

/**
 * Returns instances of a schema, the smallest first: an object with required members, with all members, with an unknown
 * member, and once for each further form of each member, so that every branch of every union occurs.
 */
export function instancesOf(
  definitions: Definitions,
  schema: Schema,
  inside: readonly string[] = [],
): Instance[] {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    // a recursive definition ends here, so its container omits it
    if (inside.includes(name)) return [];
    return instancesOf(definitions, resolve(definitions, schema), [...inside, name]);
  }
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((part) => instancesOf(definitions, part, inside));
  if (schema.allOf !== undefined) return instancesOf(definitions, merge(definitions, schema.allOf), inside);
  if (schema.type === 'array') return arraysOf(definitions, schema, inside);
  if (schema.type === 'object' || schema.properties !== undefined)
    return objectsOf(definitions, schema, inside);
  if (schema.format !== undefined) return [formats[schema.format] ?? 'text'];
  if (schema.type === undefined) return anything;
  return [schema.type].flat().flatMap((type) => samples[type] ?? []);
}

function arraysOf(definitions: Definitions, schema: Schema, inside: readonly string[]): Instance[] {
  const items = instancesOf(definitions, schema.items ?? {}, inside);
  return [...items.map((item) => [item]), [], ...(items.length > 1 ? [items.slice(0, 2)] : [])];
}

function objectsOf(definitions: Definitions, schema: Schema, inside: readonly string[]): Instance[] {
  const required = new Set(schema.required);
  const forms = new Map<string, Instance[]>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    forms.set(name, instancesOf(definitions, member, inside));
  }
  const others = schema.additionalProperties;
  if (typeof others === 'object') forms.set('other', instancesOf(definitions, others, inside));
  const bare: Record<string, Instance> = {};
  const whole: Record<string, Instance> = {};
  for (const [name, values] of forms) {
    if (values.length === 0) continue;
    if (required.has(name)) bare[name] = values[0];
    // the last form of a member is the most complete
    whole[name] = fullest(values);
  }
  const built: Instance[] = [bare];
  if (forms.size > 0) built.push(whole);
  if (typeof others !== 'object') built.push({ ...whole, 'x-unknown': { is: 'fine' } });
  for (const [name, values] of forms) {
    for (const value of values) {
      if (value !== whole[name]) built.push({ ...whole, [name]: value });
    }
  }
  return built;
}

function fullest(values: readonly Instance[]): Instance {
  let best = values[0];
  let size = JSON.stringify(best).length;
  for (const value of values.slice(0, 2)) {
    const length = JSON.stringify(value).length;
    if (length > size) [best, size] = [value, length];
  }
  return best;
}

/** Merges several object schemas of `allOf`. */
export function merge(definitions: Definitions, parts: readonly Schema[]): Schema {
  const merged: Schema = { type: 'object', properties: {}, required: [] };
  for (const unresolved of parts) {
    const found = resolve(definitions, unresolved);
    const part = found.allOf === undefined ? found : merge(definitions, found.allOf);
    if (part.type !== 'object') return part;
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const before = merged.properties![name];
      merged.properties![name] = before === undefined ? member : narrower(before, member);
    }
    merged.required!.push(...(part.required ?? []));
    if (part.additionalProperties !== undefined) merged.additionalProperties = part.additionalProperties;
  }
  return merged;
}

function narrower(one: Schema, other: Schema): Schema {
  if (one.const !== undefined) return one;
  if (other.const !== undefined) return other;
  return one.type === 'object' || one.$ref !== undefined ? { allOf: [one, other] } : other;
}

const replacements = [null, true, 7, 1.5, -1, 'other', [], {}];

/** Yields every removal of one member and every replacement by a value of another kind. */
export function* mutationsOf(instance: Instance): Generator<Mutation> {
  for (const path of pathsOf(instance, [])) {
    const before = at(instance, path);
    const parent = at(instance, path.slice(0, -1));
    if (path.length > 0 && !Array.isArray(parent)) yield mutation(instance, path, undefined);
    for (const value of replacements) {
      if (!isDeepStrictEqual(value, before)) yield mutation(instance, path, value);
    }
  }
}

/** A change, whose instance is created on demand, since most are skipped. */
function mutation(of: Instance, path: readonly (string | number)[], value: unknown): Mutation {
  let made: { instance: Instance } | undefined;
  return {
    path,
    value,
    get instance() {
      made ??= { instance: put(of, path, value) };
      return made.instance;
    },
  };
}

function* pathsOf(
  value: Instance,
  path: readonly (string | number)[],
): Generator<readonly (string | number)[]> {
  yield path;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* pathsOf(member, [...path, name]);
  }
}

/** Returns the value at a path. */
export function at(value: Instance, path: readonly (string | number)[]): Instance {
  let place = value;
  for (const step of path) place = (place as Record<string | number, Instance> | undefined)?.[step];
  return place;
}

/** Returns a copy with another value at a path, or without the member if there is no value. */
function put(value: Instance, path: readonly (string | number)[], replacement?: unknown): Instance {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? put(item, rest, replacement) : item));
  const copy = { ...(value as Record<string, Instance>) };
  const member = put(copy[step], rest, replacement);
  if (member === undefined) delete copy[step];
  else copy[step] = member;
  return copy;
}
