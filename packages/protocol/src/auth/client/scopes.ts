/** The scopes of a scope parameter, each once; what OAuth does not allow as a scope is left out. */
export function readScopes(text: string): readonly string[] {
  return uniteScopes(text.split(' ').filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)));
}

/** Every scope of some lists, each once, in the order of their first mention. */
export function uniteScopes(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** The scopes of the first list that the second has not. */
export function lackingScopes(wanted: readonly string[], granted: readonly string[]): readonly string[] {
  return wanted.filter((scope) => !granted.includes(scope));
}

export interface ScopeSources {
  /** those of the challenge */
  readonly demanded: readonly string[] | undefined;
  /** those that the author of the client named */
  readonly configured: readonly string[] | undefined;
  /** those that the metadata of the resource lists */
  readonly supported: readonly string[] | undefined;
}

/**
 * The scopes to ask for at first; none when nothing names any.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 */
export function selectScopes({ demanded, configured, supported }: ScopeSources): readonly string[] {
  return demanded === undefined ? (configured ?? supported ?? []) : uniteScopes(demanded, configured);
}
