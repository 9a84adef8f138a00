import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network that an IP address belongs to: the public internet, a private network, a cloud's metadata service, or a
 * special-purpose range without web pages.
 */
export type NetworkKind = 'public' | 'private' | 'metadata' | 'special';

/** Addresses of cloud metadata services, credentials and agents; some of them are in public ranges. */
const metadata: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, Google, Azure, OpenStack, DigitalOcean, Oracle, Hetzner, Vultr and others
  '169.254.169.253', // AWS, its resolver
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '169.254.42.42', // Scaleway
  '169.254.0.23', // Tencent
  '169.254.10.10', // Tencent
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:a9fe:a9fe::1', // Linode
  'fd00:100::100:200', // Alibaba
  'fe80::a9fe:a9fe', // OpenStack
]);

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'carrierGradeNat',
  'uniqueLocal',
  'deprecatedSiteLocal',
]);

/** Precedence for an IPv6 address that embeds several IPv4 addresses, lowest first. */
const severity: readonly NetworkKind[] = ['private', 'special', 'metadata'];

type Octets = readonly number[];

/** Returns the network of an IP address, also of IPv4 inside IPv6; `special` for an invalid one. */
export function networkOf(address: string): NetworkKind {
  if (isIPv4(address)) return reachOfV4(address.split('.').map(Number));
  if (!isIPv6(address)) return 'special';
  const zone = address.indexOf('%');
  if (zone < 0) return reachOfV6(address);
  const reach = reachOfV6(address.slice(0, zone));
  return reach === 'public' ? 'special' : reach;
}

/**
 * Returns the IPv4 address that DNS64 embedded in an answer for IPv6-only networks, under the well-known prefix (RFC
 * 6052); undefined for every other address.
 */
export function dns64Target(address: string): string | undefined {
  if (!/^64:ff9b:/i.test(address) || !isIPv6(address) || address.includes('%')) return undefined;
  const { parts } = ipaddr.IPv6.parse(address);
  return startsWith(parts, 0x64, 0xff9b, 0, 0, 0, 0) ? octetsAt(parts, 6).join('.') : undefined;
}

function reachOfV4(octets: Octets): NetworkKind {
  if (metadata.has(octets.join('.'))) return 'metadata';
  const range = new ipaddr.IPv4([...octets]).range();
  if (range === 'unicast') return 'public';
  const [first, second] = octets;
  const own = privateRanges.has(range) || octets.every((octet) => octet === 0);
  const benchmarking = first === 198 && (second === 18 || second === 19);
  return own || benchmarking ? 'private' : 'special';
}

function reachOfV6(address: string): NetworkKind {
  const parsed = ipaddr.IPv6.parse(address);
  if (metadata.has(parsed.toRFC5952String())) return 'metadata';
  const { parts } = parsed;
  const inner = embeddedV4(parts).map(reachOfV4);
  const worst = severity.findLast((reach) => inner.includes(reach));
  if (worst !== undefined) return worst;
  const range = parsed.range();
  // all assigned global unicast addresses are in 2000::/3
  if (range === 'unicast' && (parts[0]! & 0xe000) === 0x2000) return 'public';
  return privateRanges.has(range) || parts.every((part) => part === 0) ? 'private' : 'special';
}

/** Returns the IPv4 addresses that an IPv6 address embeds. */
function embeddedV4(parts: readonly number[]): Octets[] {
  // mapped and translated (RFC 4291, 7915), NAT64 (RFC 6052, 8215)
  if (
    startsWith(parts, 0, 0, 0, 0, 0, 0xffff) ||
    startsWith(parts, 0, 0, 0, 0, 0xffff, 0) ||
    startsWith(parts, 0x64, 0xff9b)
  )
    return [octetsAt(parts, 6)];
  // compatible (RFC 4291), except :: and ::1
  if (startsWith(parts, 0, 0, 0, 0, 0, 0) && parts[6] !== 0) return [octetsAt(parts, 6)];
  // 6to4 (RFC 3056)
  if (startsWith(parts, 0x2002)) return [octetsAt(parts, 1)];
  // Teredo (RFC 4380): its server, and its client with inverted bits
  if (startsWith(parts, 0x2001, 0))
    return [octetsAt(parts, 2), octetsAt(parts, 6).map((octet) => octet ^ 0xff)];
  // ISATAP (RFC 5214)
  if ((parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe) return [octetsAt(parts, 6)];
  return [];
}

function startsWith(parts: readonly number[], ...prefix: number[]): boolean {
  return prefix.every((part, index) => parts[index] === part);
}

function octetsAt(parts: readonly number[], index: number): Octets {
  const [high, low] = [parts[index]!, parts[index + 1]!];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff];
}
