import { isObject, type Params } from '../jsonrpc/message.ts';
import { Problem } from './problem.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns a tool's arguments from `name=value` pairs, converted to the types of its schema; throws Problem. */
export function typedArguments(pairs: Pairs, schema: Params): Params {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const args: Params = {};
  for (const [name, text] of pairs) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const declared = isObject(property) ? resolved(property, schema) : {};
    if (!typesOf(declared).includes('array')) {
      args[name] = readValue(name, text, declared);
      continue;
    }
    const items = isObject(declared.items) ? resolved(declared.items, schema) : {};
    const before = Object.hasOwn(args, name) ? args[name] : [];
    args[name] = [...(Array.isArray(before) ? before : []), ...readItems(name, text, items)];
  }
  return args;
}

/** Converts a text to the first type of a schema that it matches; throws Problem. */
export function readValue(name: string, text: string, schema: Params): unknown {
  const types = typesOf(schema);
  for (const type of types) {
    const value = read(type, text);
    if (value !== undefined) return value;
  }
  if (types.length > 0) throw new Problem(`${name} must be ${types.join(' or ')}, got ${text}`);
  return parsed(text) ?? text;
}

/** Reads `[...]` as a whole list and any other text as one item. */
function readItems(name: string, text: string, items: Params): unknown[] {
  const whole = text.startsWith('[') ? parsed(text) : undefined;
  return Array.isArray(whole) ? whole : [readValue(name, text, items)];
}

function read(type: string, text: string): unknown {
  if (type === 'string') return text;
  const value = parsed(text);
  switch (type) {
    case 'integer':
      return Number.isInteger(value) ? value : undefined;
    case 'number':
    case 'boolean':
      return typeof value === type ? value : undefined;
    case 'null':
      return value === null ? value : undefined;
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return isObject(value) ? value : undefined;
    default:
      return undefined;
  }
}

/** Returns the types of a schema; string is last, since every text is one. */
function typesOf({ type, anyOf, oneOf }: Params): string[] {
  const own = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : [];
  const others = [anyOf, oneOf].flatMap((all) => (Array.isArray(all) ? all.filter(isObject) : []));
  const types = [...new Set([...own, ...others.flatMap(typesOf)])];
  return [...types.filter((one) => one !== 'string'), ...types.filter((one) => one === 'string')];
}

/** Returns the schema that a local reference names. */
function resolved(schema: Params, root: Params): Params {
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema;
  let place: unknown = root;
  for (const step of $ref.slice(2).split('/'))
    place = isObject(place) && Object.hasOwn(place, step) ? place[step] : undefined;
  return isObject(place) ? place : schema;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a text that is not JSON is a plain text
    return undefined;
  }
}

/** Returns the arguments in a JSON text; throws Problem. */
export function argumentsIn(text: string): Params {
  const value = parsed(text);
  if (isObject(value)) return value;
  throw new Problem('--args must be a JSON object');
}
