import { BlockList, isIP } from 'node:net';

/** The range from which an address can be reached: this machine, its network, or everywhere. */
export type Reach = 'loopback' | 'local' | 'public';

/**
 * The special-purpose IPv4 ranges that are not public, and multicast.
 * Source: https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const localV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * The same within 2000::/3, the range of global unicast addresses. 2001::/23 contains Teredo, ORCHID and
 * benchmarking.
 * Source: https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const localV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

/** Prefixes of IPv6 addresses that routers translate to IPv4, as groups: translated, NAT64, 6to4. */
const embedding: readonly (readonly [prefix: readonly number[], at: number])[] = [
  [[0, 0, 0, 0, 0xffff, 0], 6],
  [[0x64, 0xff9b, 0, 0, 0, 0], 6],
  [[0x2002], 1],
];

const local = new BlockList();
for (const [net, bits] of localV4) local.addSubnet(net, bits);
for (const [net, bits] of localV6) local.addSubnet(net, bits, 'ipv6');

/** Returns the reach of an IP address, also of IPv4 embedded in IPv6; anything but an address counts as local. */
export function reachOfAddress(address: string): Reach {
  const version = isIP(address);
  if (version === 4) return reachOfV4(address);
  // an address with a zone is link-local
  if (version === 0 || address.includes('%')) return 'local';
  const groups = groupsOf(address);
  if (startsWith(groups, [0, 0, 0, 0, 0, 0xffff])) return reachOfV4(octetsAt(groups, 6));
  const embedded = embedding.find(([prefix]) => startsWith(groups, prefix));
  // a router that translates to 127.0.0.1 is another machine
  if (embedded !== undefined)
    return reachOfV4(octetsAt(groups, embedded[1])) === 'public' ? 'public' : 'local';
  if (groups.every((group, at) => group === (at === 7 ? 1 : 0))) return 'loopback';
  const isGlobal = (groups[0]! & 0xe000) === 0x2000;
  return isGlobal && !local.check(address, 'ipv6') ? 'public' : 'local';
}

/** Returns true if a server with one reach may name an address with another: never one of a narrower reach. */
export function mayName(from: Reach, to: Reach): boolean {
  return to === 'public' || to === from || from === 'loopback';
}

function reachOfV4(address: string): Reach {
  if (address.startsWith('127.')) return 'loopback';
  return local.check(address) ? 'local' : 'public';
}

function groupsOf(address: string): number[] {
  // the last 32 bits may be written as IPv4
  const text = address.replace(/(?<!\d)(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = text.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function startsWith(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, at) => groups[at] === group);
}

function octetsAt(groups: readonly number[], at: number): string {
  const [high, low] = [groups[at]!, groups[at + 1]!];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
