/** What lies below these names is not of the public internet. */
const local: ReadonlySet<string> = new Set([
  // set apart by RFC 6761, 6762, 7686, 8375 and 9476, and by ICANN
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'onion',
  'test',
  'invalid',
  'alt',
  // never delegated, since private networks use them
  'localdomain',
  'lan',
  'home',
  'corp',
  'mail',
  'intranet',
  'private',
]);

/** Names that clouds give to their metadata services. */
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

/** Why a name is not of the public internet; undefined where it may be. */
export function localityOf(name: string): 'local' | 'metadata' | undefined {
  if (metadata.has(name)) return 'metadata';
  const last = name.lastIndexOf('.');
  // no name of one label has a page
  if (last < 0 || local.has(name.slice(last + 1))) return 'local';
  return local.has(name.slice(name.lastIndexOf('.', last - 1) + 1)) ? 'local' : undefined;
}
