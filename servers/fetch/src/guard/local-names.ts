/** Domains that are not part of the public internet. */
const local: ReadonlySet<string> = new Set([
  // reserved by RFC 6761, 6762, 7686, 8375 and 9476, and by ICANN
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'onion',
  'test',
  'invalid',
  'alt',
  // never delegated, because private networks use them
  'localdomain',
  'lan',
  'home',
  'corp',
  'mail',
  'intranet',
  'private',
]);

/** Names of cloud metadata services. */
const metadata: ReadonlySet<string> = new Set([
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.tce.internal',
  'metadata.goog',
  'metadata.google.com',
  'metadata.azure.com',
  'metadata.oraclecloud.com',
  'metadata.oci.oraclecloud.com',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'rancher-metadata',
]);

/** Returns why a name is not public; undefined if it may be. */
export function localityOf(name: string): 'local' | 'metadata' | undefined {
  if (metadata.has(name)) return 'metadata';
  const last = name.lastIndexOf('.');
  // a single label has no web page
  if (last < 0 || local.has(name.slice(last + 1))) return 'local';
  return local.has(name.slice(name.lastIndexOf('.', last - 1) + 1)) ? 'local' : undefined;
}
