/** Returns the scopes of a scope parameter without duplicates; characters that OAuth forbids are skipped. */
export function readScopes(text: string): readonly string[] {
  return uniteScopes(text.split(' ').filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)));
}

/** Returns the scopes of several lists without duplicates, in order of first occurrence. */
export function uniteScopes(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** Returns the scopes of the first list that the second does not contain. */
export function lackingScopes(wanted: readonly string[], granted: readonly string[]): readonly string[] {
  return wanted.filter((scope) => !granted.includes(scope));
}

export interface ScopeSources {
  /** the scopes of the challenge */
  readonly demanded: readonly string[] | undefined;
  /** the scopes of the client's options */
  readonly configured: readonly string[] | undefined;
  /** the scopes of the resource metadata */
  readonly supported: readonly string[] | undefined;
}

/**
 * Returns the scopes to request first; empty if no source has any.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 */
export function selectScopes({ demanded, configured, supported }: ScopeSources): readonly string[] {
  return demanded === undefined ? (configured ?? supported ?? []) : uniteScopes(demanded, configured);
}
