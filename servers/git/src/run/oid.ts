declare const oidBrand: unique symbol;

/** The id of an object: 40 or 64 hex digits, lower case. */
export type Oid = string & { readonly [oidBrand]: true };

const pattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isOid(text: string): text is Oid {
  return pattern.test(text);
}

/** Returns a text as an object id; any other text is a bug of this server. */
export function toOid(text: string): Oid {
  if (!isOid(text)) throw new TypeError('not an object name');
  return text;
}

/** The id that git prints where there is no object. */
export function isZero(oid: Oid): boolean {
  return /^0+$/.test(oid);
}
