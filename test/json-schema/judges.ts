import { type SchemaDraft, Validator } from '@cfworker/json-schema';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileSchema } from '../../packages/protocol/src/protocol/json-schema/schema.ts';

export type Schema = boolean | Record<string, unknown>;
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const options = { strict: false, validateFormats: false, ownProperties: true, logger: false } as const;
const names: Record<Dialect, string> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/** Returns a schema with `$schema` of its dialect, except for the newest. */
export function inDialect(dialect: Dialect, schema: Schema): Schema {
  return typeof schema === 'boolean' || dialect === '2020-12'
    ? schema
    : { $schema: names[dialect], ...schema };
}

/** Returns whether a value is valid. */
export type Judge = (value: unknown) => boolean;

const others = {
  '2020-12': new Ajv2020(options),
  '2019-09': new Ajv2019(options),
  'draft-07': new Ajv(options),
};

/** Compiles a schema with ajv. */
export function theirs(dialect: Dialect, schema: Schema): Judge {
  const other = others[dialect];
  const whole = inDialect(dialect, schema);
  const judge = other.compile(whole);
  // schemas with the same `$id` are compiled more than once
  if (typeof whole === 'object') other.removeSchema(whole);
  return (value) => judge(value);
}

const drafts: Record<Dialect, SchemaDraft> = { '2020-12': '2020-12', '2019-09': '2019-09', 'draft-07': '7' };

/**
 * Compiles a schema with an interpreter, which has no state. The code that ajv generates sometimes keeps a result of the
 * previous validation.
 */
export function interpreted(dialect: Dialect, schema: Schema): Judge {
  const validator = new Validator(inDialect(dialect, schema), drafts[dialect]);
  return (value) => validator.validate(value).valid;
}

/** Compiles a schema with this project's validator. */
export function ours(dialect: Dialect, schema: Schema): Judge {
  const compiled = compileSchema(inDialect(dialect, schema));
  return (value) => compiled.mismatch(value) === undefined;
}
