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

/** A schema that says in which dialect it is written; the newest needs no word for it. */
export function inDialect(dialect: Dialect, schema: Schema): Schema {
  return typeof schema === 'boolean' || dialect === '2020-12'
    ? schema
    : { $schema: names[dialect], ...schema };
}

/** Whether values fit a schema. */
export type Judge = (value: unknown) => boolean;

const others = {
  '2020-12': new Ajv2020(options),
  '2019-09': new Ajv2019(options),
  'draft-07': new Ajv(options),
};

/** As somebody else sees it. */
export function theirs(dialect: Dialect, schema: Schema): Judge {
  const other = others[dialect];
  const whole = inDialect(dialect, schema);
  const judge = other.compile(whole);
  // schemas with the same `$id` come more than once
  if (typeof whole === 'object') other.removeSchema(whole);
  return (value) => judge(value);
}

const drafts: Record<Dialect, SchemaDraft> = { '2020-12': '2020-12', '2019-09': '2019-09', 'draft-07': '7' };

/**
 * As an interpreter sees it. ajv writes code, and that code at times keeps a result of the round before; this one
 * has no state to keep.
 */
export function interpreted(dialect: Dialect, schema: Schema): Judge {
  const validator = new Validator(inDialect(dialect, schema), drafts[dialect]);
  return (value) => validator.validate(value).valid;
}

/** As this project sees it. */
export function ours(dialect: Dialect, schema: Schema): Judge {
  const compiled = compileSchema(inDialect(dialect, schema));
  return (value) => compiled.mismatch(value) === undefined;
}
