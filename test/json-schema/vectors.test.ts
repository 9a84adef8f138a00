import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Dialect, ours, type Schema, theirs } from './judges.ts';

/** A schema with valid and invalid values. */
interface Vector {
  schema: Schema;
  fits: unknown[];
  misfits: unknown[];
  /** default 2020-12 */
  dialect?: Dialect;
  /** the error of ajv, by the official test suite of JSON Schema */
  ajv?: string;
}

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as Vector[];

describe.each(vectors.map((vector) => [JSON.stringify(vector.schema), vector] as const))(
  '%s',
  (_name, vector) => {
    const { schema, fits, misfits, dialect = '2020-12', ajv } = vector;
    const cases = [
      ...fits.map((value) => [JSON.stringify(value), value, true] as const),
      ...misfits.map((value) => [JSON.stringify(value), value, false] as const),
    ];

    test.each(cases)('of %s', (_text, value, expected) => {
      expect(ours(dialect, schema)(value)).toBe(expected);
      if (ajv === undefined) expect(theirs(dialect, schema)(value)).toBe(expected);
    });
  },
);
