import { isLoopbackName } from './http/guard.ts';

/**
 * Returns the owner of a connection without authorization: its address, or the /64 network of an IPv6
 * address, which usually belongs to one machine. Undefined on loopback, where all users of the machine or of
 * a proxy have the same address.
 */
export function ownerOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (address !== last.address) last = { address, owner: namedBy(address) };
  return last.owner;
}

/** The last result, since requests of one client arrive in a row. */
let last: { address: string; owner: string | undefined } = { address: '127.0.0.1', owner: undefined };

function namedBy(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopbackName(plain)) return undefined;
  return plain.includes(':') ? networkOf(plain) : plain;
}

/** Returns the first four of the eight groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].slice(0, 4).join(':');
}

/** Returns the owner for a principal; it differs from every address because those contain no space. */
export function ownerOfPrincipal(principal: string): string {
  return `principal ${principal}`;
}
