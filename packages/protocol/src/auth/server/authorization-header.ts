/** The content of the `Authorization` header of a request. */
export type BearerCredentials =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'token'; readonly token: string };

/** The maximum length of a token; servers accept less for all headers together by default. */
const MAX_TOKEN_LENGTH = 16_384;
const B64_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Returns the bearer token of an `Authorization` header; credentials of other schemes count as none.
 * Source: https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
export function readBearer(header: string | undefined): BearerCredentials {
  // schemes are case-insensitive: RFC 9110 section 11.1
  if (header === undefined || !/^bearer(?:[ ,]|$)/i.test(header)) return { kind: 'nothing' };
  const token = header.slice('bearer'.length).trim();
  if (token === '') return { kind: 'malformed', why: 'the Authorization header has no token' };
  if (token.length > MAX_TOKEN_LENGTH) return { kind: 'malformed', why: 'the access token is too long' };
  if (/[ ,]/.test(token))
    return { kind: 'malformed', why: 'the Authorization header has more than one token' };
  if (!B64_TOKEN.test(token)) {
    return { kind: 'malformed', why: 'the access token has invalid characters' };
  }
  return { kind: 'token', token };
}
