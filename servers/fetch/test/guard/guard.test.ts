import { describe, expect, test } from 'vitest';
import { Guard, type GuardOptions } from '../../src/guard/guard.ts';
import { metadataAddresses } from './corpus/cases.ts';
import { embedV4 } from './corpus/spellings.ts';
import { resolveAll, tableLookup } from './resolver.ts';
import { codeOf, refusal, verdict } from './verdict.ts';

/** Returns which of some URLs a guard allows. */
function through(options: GuardOptions, ...urls: readonly string[]): string[] {
  const guard = new Guard(options);
  return urls.filter((url) => verdict(() => guard.assertUrl(new URL(url))) === 'allowed');
}

function refuse(options: GuardOptions, url: string): ReturnType<typeof refusal> {
  return refusal(() => new Guard(options).assertUrl(new URL(url)));
}

/** Returns how the check of addresses ends for a name, or with options. */
function lookUp(options: GuardOptions, host: string, port: number, ...addresses: string[]): Promise<unknown> {
  const guard = new Guard({ ...options, lookup: tableLookup({ [host]: addresses }) });
  return resolveAll(guard.lookupFor(port), host).catch(codeOf);
}

describe('the text of refusals', () => {
  test.each([
    [
      'ftp://example.org/',
      'scheme-refused',
      'ftp: URLs are not fetched',
      'give a URL that begins with https:// or http://',
    ],
    [
      'https://user:secret@example.org/',
      'invalid-url',
      'the URL contains a user name or password',
      'leave out the part before the @; the operator can configure secrets with --secrets',
    ],
    ['http://a..b/', 'invalid-url', 'the URL has no valid host', 'check the spelling of the host name'],
    [
      'http://localhost:3000/',
      'address-refused',
      'localhost is not a name of the public internet',
      'the operator can allow it with --allow-private localhost:3000',
    ],
    [
      'http://wiki/',
      'address-refused',
      'wiki is not a name of the public internet',
      'the operator can allow it with --allow-private wiki',
    ],
    [
      'http://0x7f.1/',
      'address-refused',
      '127.0.0.1 is a private address',
      'the operator can allow it with --allow-private 127.0.0.1',
    ],
    [
      'https://[fd00::1]:8443/',
      'address-refused',
      'fd00::1 is a private address',
      'the operator can allow it with --allow-private [fd00::1]:8443',
    ],
    [
      'http://224.0.0.1/',
      'address-refused',
      '224.0.0.1 is not an address of the public internet',
      'the operator can allow it with --allow-private 224.0.0.1',
    ],
    [
      'http://169.254.169.254/',
      'address-refused',
      '169.254.169.254 is the metadata service of a cloud',
      'choose a site on the public internet',
    ],
    [
      'http://metadata.google.internal/',
      'address-refused',
      'metadata.google.internal is the metadata service of a cloud',
      'choose a site on the public internet',
    ],
    [
      'http://example.org:25/',
      'port-refused',
      'port 25 is blocked, because it belongs to another service',
      'use the port of a web server',
    ],
    [
      'http://example.org:8080/',
      'port-refused',
      'port 8080 is not allowed',
      'the operator can allow it with --allow-port 8080',
    ],
  ])('%s: %s', (url, code, message, hint) => {
    expect(refuse({}, url)).toEqual({ code, message, hint });
  });

  test('a URL of 2,000 characters is asked, a longer one is not', () => {
    const url = 'https://example.org/'.padEnd(2000, 'a');
    expect(through({}, url)).toEqual([url]);
    expect(refuse({}, `${url}a`)).toEqual({
      code: 'invalid-url',
      message: 'the URL is longer than 2000 characters',
      hint: 'give a shorter URL',
    });
    expect(refuse({}, `${'x'.repeat(5000)}:`).code).toBe('invalid-url');
  });
});

describe('domains', () => {
  const allowDomains = ['example.org', '=example.net', 'Bücher.example.com', '93.184.216.34', 'co.uk'];

  test('an entry covers the domain and its subdomains, one with = only that host, in any case and script', () => {
    const inside = [
      'https://example.org/',
      'https://EXAMPLE.org./',
      'https://a.b.example.org/',
      'https://example.net/',
      'https://www.bücher.example.com/',
      'https://xn--bcher-kva.example.com/',
      'http://93.184.216.34/',
      'http://0x5db8d822/',
      'https://bbc.co.uk/',
    ];
    const outside = [
      'https://badexample.org/',
      'https://example.org.evil.net/',
      'https://org/',
      'https://www.example.net/',
      'https://example.com/',
      'http://93.184.216.35/',
      'https://uk/',
      'https://xco.uk/',
    ];
    expect(through({ allowDomains }, ...inside, ...outside)).toEqual(inside);
    expect(through({}, 'https://anything.example.edu/')).toHaveLength(1);
    expect(refuse({ allowDomains }, 'https://badexample.org/')).toEqual({
      code: 'domain-refused',
      message: 'badexample.org is not among the domains that the operator allows',
      hint: 'choose an allowed site; the operator can add one with --allow-domain',
    });
  });

  test('what is denied stays denied although it is allowed, below a domain and as a private host', () => {
    const options = {
      allowDomains: ['example.org'],
      denyDomains: ['ads.example.org', '=www.example.org', 'localhost', '[::1]'],
      allowPrivate: ['localhost', '[::1]'],
    };
    const urls = [
      'https://example.org/',
      'https://a.www.example.org/',
      'https://ads.example.org/',
      'https://x.ads.example.org/',
      'https://www.example.org/',
      'http://localhost/',
      'http://[::1]/',
    ];
    expect(through(options, ...urls)).toEqual(['https://example.org/', 'https://a.www.example.org/']);
    expect(refuse(options, 'http://localhost/')).toEqual({
      code: 'domain-refused',
      message: 'the operator denies localhost',
      hint: 'choose another site',
    });
  });

  test('an allowed domain allows no private name, no private address and no port', async () => {
    const allowDomains = ['localhost', '127.0.0.1', 'internal', 'example.org'];
    const urls = [
      'http://localhost/',
      'http://127.0.0.1/',
      'http://db.internal/',
      'http://example.org:8080/',
    ];
    expect(through({ allowDomains }, ...urls)).toEqual([]);
    expect(await lookUp({ allowDomains }, 'example.org', 80, '10.0.0.1')).toBe('address-refused');
  });

  test('a look-up of a name outside the domains is not begun', async () => {
    const guard = new Guard({
      allowDomains: ['example.org'],
      lookup: () => expect.unreachable('the name was resolved'),
    });
    expect(await resolveAll(guard.lookup, 'example.net').catch(codeOf)).toBe('domain-refused');
  });
});

describe('private hosts', () => {
  test('a host with a port is reached only on that port, at any private address of its name', async () => {
    const options = { allowPrivate: ['localhost:3000'] };
    const urls = ['http://localhost:3000/', 'https://LOCALHOST.:3000/x'];
    expect(through(options, ...urls, 'http://localhost/', 'http://localhost:3001/')).toEqual(urls);
    expect(await lookUp(options, 'localhost', 3000, '127.0.0.1', '::1', 'fd00::1')).toHaveLength(3);
    expect(await lookUp(options, 'localhost', 80, '127.0.0.1')).toBe('address-refused');
  });

  test('a host without a port is reached on all allowed ports', async () => {
    const options = { allowPrivate: ['wiki.internal'], allowPorts: [8080] };
    const urls = ['http://wiki.internal/', 'https://wiki.internal/', 'http://wiki.internal:8080/'];
    expect(through(options, ...urls, 'http://wiki.internal:3000/')).toEqual(urls);
    expect(refuse(options, 'http://wiki.internal:3000/').hint).toBe(
      'the operator can allow it with --allow-private wiki.internal:3000',
    );
    expect(
      await resolveAll(
        new Guard({ ...options, lookup: tableLookup({ 'wiki.internal': '10.0.0.9' }) }).lookup,
        'wiki.internal',
      ),
    ).toEqual(['10.0.0.9']);
  });

  test('no other host is allowed with it: neither its subdomains, nor its address, nor names with that address', async () => {
    const options = { allowPrivate: ['localhost', '10.0.0.5', '[::1]:8080'] };
    const urls = ['http://localhost/', 'http://10.0.0.5/', 'http://0xa000005/', 'http://[::1]:8080/'];
    const others = [
      'http://app.localhost/',
      'http://127.0.0.1/',
      'http://10.0.0.6/',
      'http://[::ffff:10.0.0.5]/',
      'http://[::1]/',
    ];
    expect(through(options, ...urls, ...others)).toEqual(urls);
    expect(await lookUp(options, 'www.example.org', 80, '10.0.0.5')).toBe('address-refused');
  });

  test('a listed name still reaches no metadata services and no special-purpose addresses', async () => {
    const options = { allowPrivate: ['dev.example.org'] };
    const reached = async (address: string) => lookUp(options, 'dev.example.org', 80, address);
    for (const address of [...metadataAddresses, '::ffff:a9fe:a9fe', '224.0.0.1', '192.0.2.1', '2001:db8::1'])
      expect.soft(await reached(address), address).toBe('address-refused');
    for (const address of [
      '10.0.0.1',
      '198.18.0.7',
      '0.0.0.0',
      'fe80::1%lo',
      '::ffff:7f00:1',
      '93.184.216.34',
    ])
      expect(await reached(address)).toEqual([address]);
  });

  test('an IPv4 address counts the same inside every IPv6 form of it', async () => {
    const reached = (address: string) =>
      lookUp({ allowPrivate: ['dev.example.org'] }, 'dev.example.org', 80, address);
    for (const form of embedV4('10.0.0.1')) expect(await reached(form)).toEqual([form]);
    for (const form of embedV4('169.254.169.254')) expect(await reached(form)).toBe('address-refused');
  });

  test('they need not be among the allowed domains', () => {
    const options = { allowDomains: ['example.org'], allowPrivate: ['localhost:3000'] };
    expect(through(options, 'http://localhost:3000/')).toHaveLength(1);
  });
});

test('ports of the operator are allowed for every host, blocked ports for none', () => {
  const urls = [
    'http://example.org/',
    'http://example.org:443/',
    'https://example.org:8443/',
    'http://example.org:1024/',
  ];
  expect(
    through({ allowPorts: [8443, 1024] }, ...urls, 'http://example.org:8080/', 'http://example.org:6667/'),
  ).toEqual(urls);
});

test('a host is checked in any spelling, with a port and without a URL', () => {
  const guard = new Guard({});
  const judge = (host: string, port = 443) => verdict(() => guard.assertHost(host, port));
  expect(
    ['example.org', 'EXAMPLE.ORG.', '1.1.1.1', '2606:4700:4700::1111', '[2606:4700:4700::1111]'].map((host) =>
      judge(host),
    ),
  ).toEqual(Array(5).fill('allowed'));
  expect(
    ['0x7f.1', '017700000001', '２１３０７０６４３３', '::1', '[::1]', '::ffff:7f00:1', 'localhost'].map(
      (host) => judge(host),
    ),
  ).toEqual(Array(7).fill('address-refused'));
  expect(
    [
      '',
      'a b',
      'example.org/',
      'example.org:80',
      'x@example.org',
      'a#b',
      'a?b',
      'a\\b',
      'fe80::1%lo',
      '[::1',
    ].map((host) => judge(host)),
  ).toEqual(Array(10).fill('invalid-url'));
  expect(judge('example.org', 0)).toBe('port-refused');
  expect(judge('example.org', 22)).toBe('port-refused');
});

describe('a lookup', () => {
  const lookup = tableLookup({
    'www.example.org': ['93.184.216.34', '2606:4700:4700::1111'],
    'none.example.org': [],
  });
  const guard = new Guard({ lookup });

  test('returns the requested form', async () => {
    const one = await new Promise((resolve) => {
      guard.lookup('www.example.org', {}, (error, address, family) => resolve([error, address, family]));
    });
    expect(one).toEqual([null, '93.184.216.34', 4]);
    const all = await new Promise((resolve) => {
      guard.lookup('www.example.org', { all: true }, (error, found) => resolve([error, found]));
    });
    expect(all).toEqual([
      null,
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
    ]);
  });

  test('accepts a resolver that returns one address', async () => {
    const single = new Guard({ lookup: (_, __, callback) => callback(null, '93.184.216.34', 4) });
    expect(await resolveAll(single.lookup, 'www.example.org')).toEqual(['93.184.216.34']);
    const loopback = new Guard({ lookup: (_, __, callback) => callback(null, '127.0.0.1', 4) });
    expect(await resolveAll(loopback.lookup, 'www.example.org').catch(codeOf)).toBe('address-refused');
  });

  test("refuses a name without an address, and passes on the resolver's failures", async () => {
    expect(await resolveAll(guard.lookup, 'none.example.org').catch(codeOf)).toBe('name-not-found');
    await expect(resolveAll(guard.lookup, 'other.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('refuses names that need no resolver', async () => {
    const silent = new Guard({ lookup: () => expect.unreachable('the name was resolved') });
    const names = [
      'localhost',
      'metadata.google.internal',
      '127.0.0.1',
      '0177.0.0.1',
      '127.1',
      'wiki',
      '::1',
    ];
    const ends = await Promise.all(names.map((name) => resolveAll(silent.lookup, name).catch(codeOf)));
    expect(ends).toEqual(names.map(() => 'address-refused'));
  });
});

describe('an invalid option', () => {
  test.each([
    [
      '*.example.org',
      '--allow-domain "*.example.org" is not a domain; write example.org to include its subdomains, =example.org for that host only',
    ],
    [
      'https://example.org',
      '--allow-domain "https://example.org" is not a domain; write example.org to include its subdomains, =example.org for that host only',
    ],
    [
      'example.org:443',
      '--allow-domain "example.org:443" is not a domain; write example.org to include its subdomains, =example.org for that host only',
    ],
    [
      '.example.org',
      '--allow-domain ".example.org" is not a domain; write example.org to include its subdomains, =example.org for that host only',
    ],
    [
      '',
      '--allow-domain "" is not a domain; write example.org to include its subdomains, =example.org for that host only',
    ],
  ])('%s is not a domain', (entry, message) => {
    expect(() => new Guard({ allowDomains: [entry] })).toThrow(new TypeError(message));
    expect(() => new Guard({ denyDomains: [entry] })).toThrow(
      new TypeError(message.replace('allow', 'deny')),
    );
  });

  test.each([
    'http://localhost:3000',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    '*:80',
    '10.0.0.0/8',
    'a@b',
    '',
  ])('%s is not a private host', (entry) => {
    expect(() => new Guard({ allowPrivate: [entry] })).toThrow(
      new TypeError(
        `--allow-private ${JSON.stringify(entry)} is not a host; write localhost, localhost:3000 or [::1]:8080`,
      ),
    );
  });

  test('blocked ports and invalid numbers are refused', () => {
    expect(() => new Guard({ allowPorts: [6667] })).toThrow(
      new TypeError('--allow-port 6667 is blocked, because it belongs to another service'),
    );
    expect(() => new Guard({ allowPrivate: ['localhost:25'] })).toThrow(
      new TypeError(
        '--allow-private "localhost:25": port 25 is blocked, because it belongs to another service',
      ),
    );
    for (const port of [0, -1, 65_536, 1.5, Number.NaN])
      expect(() => new Guard({ allowPorts: [port] })).toThrow(
        new TypeError(`--allow-port ${port} is not a port; give a number from 1 to 65535`),
      );
  });
});
