/** Members of `T`; one that may be undefined is left out when it is, as `exactOptionalPropertyTypes` asks for. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns the members of an object whose values are not undefined, in their order.
 * @example const page = { lines, ...defined({ nextCursor }) };
 */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in members) {
    if (members[name] !== undefined) kept[name] = members[name];
  }
  return kept as Defined<T>; // each member that is left out was undefined
}
