import { quoted, SchemaError } from './failure.ts';

/** What sets a dialect of JSON Schema apart from the newest. */
export interface Dialect {
  readonly name: string;
  /** `items` takes a list and `additionalItems` the rest; else `prefixItems` and `items` */
  readonly listItems: boolean;
  /** a schema with `$ref` is nothing but the reference, and `$id` may be a fragment */
  readonly loneRefs: boolean;
  /** `unevaluatedProperties`, `unevaluatedItems`, `$anchor`, `minContains` and `dependent*` */
  readonly unevaluated: boolean;
  /** what `contains` has matched counts as evaluated */
  readonly containsEvaluates: boolean;
  /** how references follow the dynamic scope */
  readonly dynamic: '$dynamicRef' | '$recursiveRef' | undefined;
}

const newest: Dialect = {
  name: '2020-12',
  listItems: false,
  loneRefs: false,
  unevaluated: true,
  containsEvaluates: true,
  dynamic: '$dynamicRef',
};
const of2019: Dialect = {
  ...newest,
  name: '2019-09',
  listItems: true,
  containsEvaluates: false,
  dynamic: '$recursiveRef',
};
const draft7: Dialect = {
  ...of2019,
  name: 'draft-07',
  loneRefs: true,
  unevaluated: false,
  dynamic: undefined,
};

const dialects: Readonly<Record<string, Dialect>> = {
  'json-schema.org/draft/2020-12/schema': newest,
  'json-schema.org/draft/2019-09/schema': of2019,
  'json-schema.org/draft-07/schema': draft7,
  'json-schema.org/draft-06/schema': draft7,
};

/** The dialect that a schema names with `$schema`, 2020-12 when it names none; another one is a SchemaError. */
export function dialectOf(name: unknown): Dialect {
  if (name === undefined) return newest;
  const bare = typeof name === 'string' ? name.replace(/^https?:\/\//, '').replace(/#$/, '') : '';
  if (Object.hasOwn(dialects, bare)) return dialects[bare]!;
  throw new SchemaError(
    `the dialect ${quoted(name)} is not supported; 2020-12, 2019-09, draft-07 and draft-06 are`,
  );
}
