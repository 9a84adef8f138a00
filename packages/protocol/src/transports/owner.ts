import { isLoopbackName } from './http/guard.ts';

/**
 * Names whom a connection without authorization counts for: its address, or the /64 network of an IPv6 one, which one
 * machine has to itself. Undefined on loopback, where the address tells the users of the machine or of a proxy on it
 * apart from nobody.
 */
export function ownerOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (address !== last.address) last = { address, owner: namedBy(address) };
  return last.owner;
}

/** The address that was asked for last, since requests of one client come in a row. */
let last: { address: string; owner: string | undefined } = { address: '127.0.0.1', owner: undefined };

function namedBy(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopbackName(plain)) return undefined;
  return plain.includes(':') ? networkOf(plain) : plain;
}

/** The first four of the eight groups of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after].slice(0, 4).join(':');
}

/** Names whom a request or a connection of a principal counts for; an address holds no space. */
export function ownerOfPrincipal(principal: string): string {
  return `principal ${principal}`;
}
