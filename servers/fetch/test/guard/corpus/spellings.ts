type Octets = readonly [number, number, number, number];

const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const octal = (value: number, digits = 0) => `0${value.toString(8).padStart(digits, '0')}`;

function octetsOf(address: string): Octets {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a, b, c, d];
}

function numberOf([a, b, c, d]: Octets): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function replaceDigits(text: string, digits: readonly string[]): string {
  return text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}

function percentEncode(text: string): string {
  return text.replace(/./g, (character) => `%${hex(character.charCodeAt(0), 2)}`);
}

const fullWidth = Array.from('０１２３４５６７８９');
const circled = Array.from('⓪①②③④⑤⑥⑦⑧⑨');
const bold = Array.from('𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗');
const superscript = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');

/** Returns spellings of an IPv4 address as the host of a URL; the URL standard reads all of them as that address. */
export function spellV4(address: string): string[] {
  const octets = octetsOf(address);
  const [a, b, c, d] = octets;
  const all = numberOf(octets);
  const three = ((b << 16) | (c << 8) | d) >>> 0;
  const two = (c << 8) | d;
  const dotted = (write: (octet: number) => string) => octets.map(write).join('.');
  return [
    address,
    `${address}.`,
    `${all}`,
    `${all}.`,
    `0x${hex(all)}`,
    `0X${hex(all).toUpperCase()}`,
    `0x00000000${hex(all, 8)}`,
    octal(all),
    `0000000${octal(all)}`,
    dotted((octet) => `0x${hex(octet)}`),
    dotted((octet) => `0x0000${hex(octet, 2)}`),
    dotted((octet) => octal(octet)),
    dotted((octet) => octal(octet, 6)),
    `0x${hex(a)}.${octal(b)}.${c}.0x${hex(d)}`,
    `${octal(a)}.${b}.0x${hex(c)}.${octal(d)}`,
    `${a}.${three}`,
    `0x${hex(a)}.${three}`,
    `${octal(a)}.0x${hex(three)}`,
    `${a}.${b}.${two}`,
    `0x${hex(a)}.${octal(b)}.${two}`,
    replaceDigits(address, fullWidth),
    replaceDigits(address, circled),
    replaceDigits(address, bold),
    replaceDigits(address, superscript),
    replaceDigits(`${all}`, fullWidth),
    replaceDigits(`0x${hex(all)}`, circled),
    percentEncode(address),
    percentEncode(`${all}`),
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '%2E'),
    encodeURIComponent(replaceDigits(address, fullWidth)),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%E3%80%82'),
    `${address.slice(0, 2)}\t${address.slice(2)}`,
    `${address.slice(0, 3)}\r\n${address.slice(3)}`,
    `${address.slice(0, 2)}\u00ad${address.slice(2)}`,
    `${address.slice(0, 2)}\u200b${address.slice(2)}`,
    `${address}\ufe0f`,
  ];
}

/** Returns URLs that hide their host from a reader that does not follow the URL standard. */
export function disguise(host: string): string[] {
  return [
    `http:${host}`,
    `http:/${host}/`,
    `http:///${host}/`,
    `http:////////${host}/`,
    `http:\\\\${host}\\`,
    `http:/\\${host}/`,
    `hTTp://${host}/`,
    `h\tt\ntp://${host}/`,
    `  http://${host}/  `,
    `\u0000\u001fhttp://${host}/`,
    `https://${host}/`,
    `http://${host}:80/`,
    `http://${host}:443/`,
    `http://${host}:00080/`,
    `https://${host}:80/`,
    `http://${host}?`,
    `http://${host}#`,
    `http://${host}/.example.org/`,
    `http://${host}\\.example.org/`,
    `http://${host}#@example.org/`,
    `http://${host}?@example.org/`,
    `http://${host}/@example.org/`,
    `http://${host}\\@example.org/`,
    `http://${host}:80#\\@example.org/`,
    `http://${host}/%2f..%2f..`,
    `http://${host}/?url=http://example.org/`,
  ];
}

/** Returns URLs with a user name and password before the host, some of which look like a host. */
export function disguiseWithCredentials(host: string): string[] {
  return [
    `http://example.org@${host}/`,
    `http://example.org:80@${host}/`,
    `http://example.org%2f@${host}/`,
    `http://example.org%23@${host}/`,
    `http://example.org&@${host}#@example.net/`,
    `http://user:password@${host}/`,
    `http://:password@${host}/`,
    `http://user@@${host}/`,
    `http://%75@${host}:80/`,
    `https://example.org%00@${host}/`,
  ];
}

/** Returns IPv6 addresses that embed an IPv4 address, in every form. */
export function embedV4(address: string): string[] {
  const octets = octetsOf(address);
  const [a, b, c, d] = octets;
  const high = (a << 8) | b;
  const low = (c << 8) | d;
  const pair = `${hex(high)}:${hex(low)}`;
  const turned = `${hex(high ^ 0xffff)}:${hex(low ^ 0xffff)}`;
  return [
    `::ffff:${address}`,
    `::ffff:${pair}`,
    `::FFFF:${pair.toUpperCase()}`,
    `0:0:0:0:0:ffff:${address}`,
    `0000:0000:0000:0000:0000:ffff:${hex(high, 4)}:${hex(low, 4)}`,
    `::${address}`,
    `::${pair}`,
    `::ffff:0:${address}`,
    `::ffff:0:${pair}`,
    `64:ff9b::${address}`,
    `64:ff9b::${pair}`,
    `0064:ff9b:0:0:0:0:${pair}`,
    `64:ff9b:1::${address}`,
    `64:ff9b:1:fffe::${pair}`,
    `2002:${pair}::`,
    `2002:${pair}:1::1`,
    `2001::${turned}`,
    `2001:0:4136:e378:8000:63bf:${turned}`,
    `2001:0:${pair}::f7f7:f7f7`,
    `2001:470:1:2:0:5efe:${pair}`,
    `2001:470:1:2:200:5efe:${address}`,
    `2a00:1450::5efe:${pair}`,
  ];
}
