const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Broader scopes, each with the narrower ones that it stands for.
 * @example const scopeImplies: ScopeHierarchy = { 'files:write': ['files:read'] };
 */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;

/** The scopes, each once, when all are well-formed; throws one line otherwise. */
export function checkedScopes(what: string, scopes: readonly string[]): readonly string[] {
  for (const scope of scopes) {
    if (!SCOPE.test(scope))
      throw new TypeError(`${what} must be scopes without spaces, quotes and backslashes`);
    // refresh tokens are between the client and the authorization server, so no resource needs this one
    if (scope === 'offline_access') throw new TypeError(`${what} must not have offline_access`);
  }
  return Object.freeze([...new Set(scopes)]);
}

/**
 * The scopes of a token with those that they imply, directly or over others.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#step-up-authorization-flow
 */
export function withImplied(granted: Iterable<string>, hierarchy: ScopeHierarchy): readonly string[] {
  const all = new Set(granted);
  // a set that grows while it is walked is walked to its new end
  for (const scope of all) {
    if (!Object.hasOwn(hierarchy, scope)) continue;
    for (const narrower of hierarchy[scope] ?? []) all.add(narrower);
  }
  return Object.freeze([...all]);
}
