import { isUtf8 } from 'node:buffer';
import { LaneError } from '../../shared/error.ts';
import type { Parameters, Params } from '../../shared/sql/parameters.ts';

type Bound = null | bigint | number | string | Buffer;

/**
 * Arguments of a prepared statement as the driver takes them: unnamed values in order, then an object of named ones.
 */
export type Bindings = readonly unknown[];

/** Returns the bindings for a statement's parameters; throws unless parameters and values match one to one. */
export function bindingsOf(parameters: Parameters, params: Params | undefined): Bindings {
  if (parameters.length === 0) {
    const given =
      params === undefined ? 0 : Array.isArray(params) ? params.length : Object.keys(params).length;
    if (given > 0)
      throw problem('the statement has no parameters', 'omit params, or use ? or :name in the SQL');
    return [];
  }
  if (params === undefined)
    throw problem(
      `params is missing: the statement has ${listParameters(parameters)}`,
      'pass an array, or an object by name',
    );
  return Array.isArray(params)
    ? byPosition(parameters, params)
    : byName(parameters, params as Readonly<Record<string, unknown>>); // not an array, so an object
}

function byPosition(parameters: Parameters, values: readonly unknown[]): Bindings {
  if (values.length !== parameters.length) {
    throw problem(
      `params has the wrong number of values: ${values.length} instead of ${parameters.length}`,
      `pass one value for each parameter: ${listParameters(parameters)}`,
    );
  }
  return toBindings(parameters, (_name, index) => boundOf(values[index], `params[${index}]`));
}

function byName(parameters: Parameters, values: Readonly<Record<string, unknown>>): Bindings {
  const used = new Set<string>();
  const bindings = toBindings(parameters, (name, index) => {
    if (name === undefined)
      throw problem(`parameter ${index + 1} is an unnamed ?`, 'pass params as an array');
    const key = Object.hasOwn(values, name) ? name : name.slice(1);
    if (!Object.hasOwn(values, key)) throw problem(`params has no value for ${name}`, 'add it to params');
    used.add(key);
    return boundOf(values[key], `params.${key}`);
  });
  const left = Object.keys(values).find((key) => !used.has(key));
  if (left !== undefined)
    throw problem(
      `the statement has no parameter ${left}`,
      `its parameters are ${listParameters(parameters)}`,
    );
  return bindings;
}

function toBindings(
  parameters: Parameters,
  of: (name: string | undefined, index: number) => Bound,
): Bindings {
  const bare: Bound[] = [];
  const named: Record<string, Bound> = Object.create(null) as Record<string, Bound>;
  for (const [index, name] of parameters.entries()) {
    const value = of(name, index);
    if (name === undefined) {
      bare.push(value);
      continue;
    }
    // the driver expects names without prefix
    const key = name.slice(1);
    if (Object.hasOwn(named, key) && named[key] !== value)
      throw problem(`two parameters have the name ${key}`, 'use distinct names');
    named[key] = value;
  }
  return Object.keys(named).length === 0 ? bare : [...bare, named];
}

/** Returns the value to bind for a JSON value; a failure names its place. */
export function boundOf(value: unknown, where: string): Bound {
  if (value === null) return value;
  if (typeof value === 'string') return textOf(value, where);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return numberOf(value, where);
  if (typeof value === 'object' && !Array.isArray(value)) {
    const [[tag, inner] = ['', undefined], ...more] = Object.entries(value);
    const read = Object.hasOwn(tagged, tag) ? tagged[tag] : undefined;
    if (read !== undefined && more.every(([name]) => name === 'bytes')) {
      const bound = read(inner);
      if (bound !== undefined) return bound;
      throw problem(`${where} is not a value of ${tag}`, forms);
    }
  }
  throw problem(
    `${where} is ${Array.isArray(value) ? 'an array' : 'an object'}, which SQLite has no type for`,
    `pass JSON as text, or ${forms}`,
  );
}

/** Throws for half of a surrogate pair, which SQLite would replace. */
function textOf(text: string, where: string): string {
  if (text.isWellFormed()) return text;
  throw problem(`${where} has half of a surrogate pair, which UTF-8 cannot encode`, 'remove that character');
}

/** Returns a whole number as INTEGER: as REAL, a TEXT column would store `5.0`. */
function numberOf(value: number, where: string): Bound {
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63)
    throw problem(
      `${where} is too large for an exact JSON number`,
      'pass it as {"$int": "9007199254740993"}',
    );
  return value;
}

const forms = 'one of {"$int": "…"}, {"$real": "…"}, {"$blob": "<base64>"} and {"$text_base64": "…"}';

const tagged: Readonly<Record<string, (value: unknown) => Bound | undefined>> = {
  $int(value) {
    if (Number.isSafeInteger(value)) return BigInt(value as number);
    if (typeof value !== 'string' || !/^[+-]?\d{1,19}$/.test(value)) return undefined;
    const whole = BigInt(value.replace('+', ''));
    return BigInt.asIntN(64, whole) === whole ? whole : undefined;
  },
  $real(value) {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    const real = Number(value);
    return Number.isNaN(real) ? undefined : real;
  },
  $blob: bytesOf,
  $text_base64(value) {
    const bytes = bytesOf(value);
    if (bytes === undefined || isUtf8(bytes)) return bytes?.toString();
    // the driver takes text only as a string
    throw problem(
      'bytes that are not UTF-8 cannot be bound as text',
      'pass them as $blob and use CAST(? AS TEXT)',
    );
  },
};

function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) return undefined;
  // a single last character encodes no byte and would be dropped
  if (value.replace(/(?<!=)=+$/, '').length % 4 === 1) return undefined;
  return Buffer.from(value, 'base64');
}

function listParameters(parameters: Parameters): string {
  const listed = parameters.slice(0, MOST_LISTED).map((name, index) => name ?? `? (${index + 1})`);
  const more = parameters.length - listed.length;
  return more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ');
}

const MOST_LISTED = 10;

function problem(message: string, hint: string): LaneError {
  return new LaneError(message, { code: 'parameters', hint });
}
