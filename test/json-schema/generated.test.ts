import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSchema } from '../../packages/protocol/src/protocol/json-schema/schema.ts';
import { full } from '../extent.ts';
import { type Dialect, interpreted, type Judge, ours, type Schema, theirs } from './judges.ts';

const runs = full ? 3000 : 250;
const names = ['a', 'b', 'c'];
const name = fc.constantFrom(...names);

/** Small JSON values that are often valid. */
const value = fc
  .letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, 1, 2, 3, 1.5, -1, '', 'a', 'ab', 'abc', '💧'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(name, tie('any'), { maxKeys: 3 }),
    ),
  }))
  .any.map((made): unknown => JSON.parse(JSON.stringify(made)));

const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(0, 1, 2, 1.5);
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const pattern = fc.constantFrom('a', '^a', 'b$', '^[ab]*$', '^.$');

/** Schemas with any mix of the keywords of a dialect that ajv implements correctly. */
function schemas(dialect: Dialect): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema }>((tie) => {
    const schema = tie('schema');
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(name, schema, { maxKeys: 3 });
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
      const: value,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minimum: number,
      maximum: number,
      exclusiveMinimum: number,
      exclusiveMaximum: number,
      minLength: count,
      maxLength: count,
      pattern,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      contains: schema,
      minProperties: count,
      maxProperties: count,
      required: fc.uniqueArray(name),
      properties: map,
      patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2 }),
      additionalProperties: schema,
      propertyNames: schema,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: schema,
      if: schema,
      ...(dialect === 'draft-07'
        ? {
            items: fc.oneof(schema, list),
            additionalItems: schema,
            dependencies: fc.dictionary(name, fc.oneof(schema, fc.uniqueArray(name)), { maxKeys: 2 }),
          }
        : {
            minContains: count,
            maxContains: count,
            prefixItems: list,
            items: schema,
            dependentRequired: fc.dictionary(name, fc.uniqueArray(name), { maxKeys: 2 }),
            dependentSchemas: map,
          }),
    };
    const branches = { [`th${'en'}`]: schema, else: schema };
    const some = fc
      .subarray(Object.keys({ ...keywords, ...branches }), { minLength: 1, maxLength: 4 })
      .chain((chosen) => {
        const all: Record<string, fc.Arbitrary<unknown>> = { ...keywords, ...branches };
        return fc.record(Object.fromEntries(chosen.map((key) => [key, all[key]!])));
      });
    return {
      schema: fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.boolean(), some) as fc.Arbitrary<Schema>,
    };
  }).schema;
}

/** Returns whether ajv's generated code throws, or reuses the result of the previous element, for a schema. */
const lost: Schema = {
  patternProperties: { a: true },
  anyOf: [{ maximum: 0, patternProperties: { a: false }, anyOf: [false] }, { else: false }],
};
const kept: Schema = { additionalProperties: { contains: { propertyNames: { contains: {} } } } };

/** Returns the verdict of a validator, or undefined if it throws. */
function verdictOf(judge: Judge, one: unknown): boolean | undefined {
  try {
    return judge(one);
  } catch {
    return undefined;
  }
}

test.each(['2020-12', 'draft-07'] as const)(
  'generated schemas of %s accept the same values as in ajv and an interpreter, if these agree',
  (dialect) => {
    let [asked, agreed] = [0, 0];
    fc.assert(
      fc.property(schemas(dialect), fc.array(value, { minLength: 1, maxLength: 4 }), (schema, values) => {
        const own = ours(dialect, schema);
        const [first, second] = [theirs(dialect, schema), interpreted(dialect, schema)];
        for (const one of values) {
          const verdict = verdictOf(first, one);
          asked += 1;
          if (verdict === undefined || verdict !== verdictOf(second, one)) continue;
          agreed += 1;
          expect(own(one)).toBe(verdict);
        }
      }),
      {
        numRuns: runs,
        examples: [
          [lost, [{ a: null }]],
          [kept, [{ a: [null], b: [] }]],
        ],
      },
    );
    expect(agreed / asked).toBeGreaterThan(0.98);
  },
);

test('any value as a schema is compiled or refused with one line', () => {
  const junk = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, -1, '', '#', '#/x', 'http://[', '(', 'a{2,1}'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          '$ref',
          '$id',
          '$schema',
          '$anchor',
          '$defs',
          'type',
          'items',
          'properties',
          'pattern',
          'patternProperties',
          'allOf',
          'enum',
          'required',
          'minLength',
          '__proto__',
        ),
        tie('any'),
        { maxKeys: 4 },
      ),
    ),
  })).any;
  fc.assert(
    fc.property(junk, value, (schema, one) => {
      try {
        expect(compileSchema(schema).mismatch(one) ?? 'fits').toMatch(/^.{1,400}$/);
      } catch (error) {
        expect(error).toMatchObject({ name: 'SchemaError', message: expect.stringMatching(/^.{1,400}$/) });
      }
    }),
    { numRuns: runs },
  );
});
