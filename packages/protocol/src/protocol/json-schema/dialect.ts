import { quoted, SchemaError } from './failure.ts';

/** The differences between a dialect of JSON Schema and 2020-12. */
export interface Dialect {
  readonly name: string;
  /** `items` accepts a list, and `additionalItems` applies to the rest; otherwise `prefixItems` and `items` */
  readonly listItems: boolean;
  /** siblings of `$ref` are ignored, and `$id` may be a fragment */
  readonly refIgnoresSiblings: boolean;
  /** `unevaluatedProperties`, `unevaluatedItems`, `$anchor`, `minContains` and `dependent*` */
  readonly unevaluated: boolean;
  /** elements that match `contains` count as evaluated */
  readonly containsEvaluates: boolean;
  /** the keyword that resolves references in the dynamic scope */
  readonly dynamic: '$dynamicRef' | '$recursiveRef' | undefined;
}

const newest: Dialect = {
  name: '2020-12',
  listItems: false,
  refIgnoresSiblings: false,
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
  refIgnoresSiblings: true,
  unevaluated: false,
  dynamic: undefined,
};

const dialects: Readonly<Record<string, Dialect>> = {
  'json-schema.org/draft/2020-12/schema': newest,
  'json-schema.org/draft/2019-09/schema': of2019,
  'json-schema.org/draft-07/schema': draft7,
  'json-schema.org/draft-06/schema': draft7,
};

/** Returns the dialect of a `$schema`, 2020-12 if there is none; throws SchemaError for an unsupported one. */
export function dialectOf(name: unknown): Dialect {
  if (name === undefined) return newest;
  const bare = typeof name === 'string' ? name.replace(/^https?:\/\//, '').replace(/#$/, '') : '';
  if (Object.hasOwn(dialects, bare)) return dialects[bare]!;
  throw new SchemaError(
    `the dialect ${quoted(name)} is not supported; use 2020-12, 2019-09, draft-07 or draft-06`,
  );
}
