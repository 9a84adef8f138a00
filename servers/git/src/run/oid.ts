declare const oidBrand: unique symbol;

/** The name of an object: 40 or 64 hex digits, lower case. */
export type Oid = string & { readonly [oidBrand]: true };

const pattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isOid(text: string): text is Oid {
  return pattern.test(text);
}

/** For what must be an object name already; anything else is a bug of ours. */
export function toOid(text: string): Oid {
  if (!isOid(text)) throw new TypeError('not an object name');
  return text;
}

/** The name that git prints where there is no object. */
export function isZero(oid: Oid): boolean {
  return /^0+$/.test(oid);
}
