import places from './places.json' with { type: 'json' };
import { disguise, disguiseWithCredentials, embedV4, spellV4 } from './spellings.ts';
import ssrfcheck from './ssrfcheck.json' with { type: 'json' };

/** IPv4 addresses of private networks, this machine and metadata services. */
export const internalV4: readonly string[] = [
  ...Object.keys(places.private),
  ...Object.keys(places.metadata),
];

/** Addresses of metadata services. */
export const metadataAddresses: readonly string[] = [
  ...Object.keys(places.metadata),
  ...Object.keys(places.metadata6),
];

/** URLs that must be refused, by their problem. */
export const refused: Readonly<Record<string, readonly string[]>> = eachOnce({
  'IPv4 addresses in every spelling': [
    ...internalV4.flatMap((address) => spellV4(address).map(urlOf)),
    ...Object.keys(places.special).map(urlOf),
  ],
  'IPv6 addresses': [
    ...Object.keys(places.private6),
    ...Object.keys(places.metadata6),
    ...Object.keys(places.special6),
  ].flatMap((address) => [urlOf(`[${address}]`), urlOf(`[${address.toUpperCase()}]`)]),
  'IPv6 addresses that hold an IPv4 one': internalV4.flatMap((address) =>
    embedV4(address).map((form) => urlOf(`[${form}]`)),
  ),
  'IPv6 addresses with a zone': ['fe80::1', '::1', '2606:4700:4700::1111'].flatMap((address) =>
    ['%lo', '%25lo', '%eth0', '%25eth0', '%1', '%251', '%25'].map((zone) => urlOf(`[${address}${zone}]`)),
  ),
  'local names and those of metadata services': Object.keys(places.names).flatMap((name) => [
    urlOf(name),
    urlOf(`${name}.`),
    urlOf(name.toUpperCase()),
    urlOf(name.replace('l', 'ｌ')),
    urlOf(name.replaceAll('.', '。')),
    urlOf(name.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`)),
  ]),
  'addresses in disguise': ['127.0.0.1', 'localhost', '[::1]', '2852039166', '[::ffff:10.0.0.1]'].flatMap(
    disguise,
  ),
  'addresses behind a name and a password': ['127.0.0.1', 'localhost', '[::1]', 'example.com'].flatMap(
    disguiseWithCredentials,
  ),
  'names that cannot exist': [
    'http://.',
    'http://..',
    'http://a..b.org/',
    'http://.example.org/',
    'http://example.org../',
    'http://example.org%00.evil.org/',
    `http://${'a'.repeat(64)}.org/`,
    `http://${'a.'.repeat(127)}org/`,
    'http://exa!mple.org/',
    "http://a'b.org/",
    'http://*.example.org/',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://127.0.0.1.0/',
    'http://0x7f.1.1.1.1/',
    'http://09.0.0.1/',
    'http://4294967296/',
    'http://127.0.0.1%00/',
    'http://127.0.0.1%20/',
    'http://127.0.0.1 /',
    'http://[127.0.0.1]/',
    'http://[::1/',
    'http://::1/',
    'http://[::1]a/',
    'http://[::1%00]/',
    'http://[:::1]/',
    'http://[::1]:99999/',
    'http://0::1/',
    'http://q177.0.0.1/',
    'http://0o177.0.0.1/',
  ],
  'the list of ssrfcheck': ssrfcheck.mustFail,
});

/** URLs of other schemes than web pages. */
export const otherSchemes: readonly string[] = [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'file:etc/passwd',
  'FILE:///C:/windows/win.ini',
  'ftp://example.org/',
  'ftps://example.org/',
  'sftp://example.org/',
  'tftp://example.org/x',
  'gopher://127.0.0.1:25/xHELO',
  'dict://127.0.0.1:6379/info',
  'ldap://127.0.0.1/',
  'ldaps://example.org/',
  'smb://example.org/share',
  'ssh://example.org/',
  'telnet://example.org/',
  'ws://example.org/',
  'wss://example.org/',
  'redis://127.0.0.1:6379/',
  'data:text/html,<p>',
  'javascript:alert(1)',
  'about:blank',
  'blob:https://example.org/8a7f',
  'view-source:http://127.0.0.1/',
  'jar:http://127.0.0.1!/',
  'netdoc:///etc/passwd',
  'php://filter/resource=index.php',
  'phar://x.phar',
  'expect://id',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
  'chrome://settings/',
  'chrome-extension://abc/',
  'ms-appx://x/',
  'mailto:a@example.org',
  'tel:112',
  'urn:isbn:0',
  'git://example.org/x.git',
  'x:/',
];

/** Names that look public and resolve to other addresses, with these. */
export const misleading: Readonly<Record<string, string>> = places.misleading;

/** The addresses of names without a guard. */
export const resolved: Readonly<Record<string, string>> = { ...places.names, ...places.misleading };

/** Special-purpose addresses without web pages, and their range. */
export const internalAddresses: readonly string[] = [
  ...Object.keys(places.private),
  ...Object.keys(places.metadata),
  ...Object.keys(places.special),
  ...Object.keys(places.private6),
  ...Object.keys(places.metadata6),
  ...Object.keys(places.special6),
  ...internalV4.flatMap(embedV4),
];

export const publicAddresses: readonly string[] = places.public;

/** URLs that must be allowed. */
export const allowed: readonly string[] = [
  ...places.public.flatMap((address) => [
    urlOf(address.includes(':') ? `[${address}]` : address),
    ...(address.includes(':') ? [] : spellV4(address).map(urlOf)),
  ]),
  ...places.publicNames.flatMap((name) => [
    `http://${name}/`,
    `https://${name}:443/a?b=c#d`,
    `HTTPS://${name}:80`,
  ]),
];

/** The URLs that ssrfcheck allows, without invalid ones. */
export const ssrfcheckPass: readonly string[] = ssrfcheck.mayPass.filter((text) => URL.canParse(text));

function urlOf(host: string): string {
  return `http://${host}/`;
}

/** Removes entries that an earlier list has. */
function eachOnce(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const seen = new Set<string>();
  const fresh = (text: string) => seen.size < seen.add(text).size;
  return Object.fromEntries(Object.entries(lists).map(([kind, texts]) => [kind, texts.filter(fresh)]));
}
