const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Broader scopes, each with the narrower ones that it includes.
 * @example const scopeImplies: ScopeHierarchy = { 'files:write': ['files:read'] };
 */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;

/** Returns the scopes without duplicates; throws one line if one is malformed. */
export function checkedScopes(what: string, scopes: readonly string[]): readonly string[] {
  for (const scope of scopes) {
    if (!SCOPE.test(scope))
      throw new TypeError(`${what} must be scopes without spaces, quotes and backslashes`);
    // refresh tokens concern only the client and the authorization server, so no resource requires this scope
    if (scope === 'offline_access') throw new TypeError(`${what} must not have offline_access`);
  }
  return Object.freeze([...new Set(scopes)]);
}

/**
 * Returns the scopes of a token with those that they include, directly or indirectly.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#step-up-authorization-flow
 */
export function withImplied(granted: Iterable<string>, hierarchy: ScopeHierarchy): readonly string[] {
  const all = new Set(granted);
  // iteration over a growing set includes the new members
  for (const scope of all) {
    if (!Object.hasOwn(hierarchy, scope)) continue;
    for (const narrower of hierarchy[scope] ?? []) all.add(narrower);
  }
  return Object.freeze([...all]);
}
