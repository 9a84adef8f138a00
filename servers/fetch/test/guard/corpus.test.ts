import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { Guard } from '../../src/guard/guard.ts';
import {
  allowed,
  internalAddresses,
  internalV4,
  misleading,
  otherSchemes,
  publicAddresses,
  refused,
  resolved,
  ssrfcheckPass,
} from './corpus/cases.ts';
import redirects from './corpus/redirects.json' with { type: 'json' };
import { spellV4 } from './corpus/spellings.ts';
import { resolveAll, tableLookup } from './resolver.ts';
import { codeOf, verdict } from './verdict.ts';

type Connect = buildConnector.connector;

const allowPorts = [3128, 8000, 8080, 9000];

/** Returns the verdict on a text to fetch; an invalid URL cannot be requested. */
function judge(guard: Guard, text: string): string {
  return URL.canParse(text) ? verdict(() => guard.assertUrl(new URL(text))) : 'no URL';
}

describe('refused targets', () => {
  const lookup = vi.fn();
  const guard = new Guard({ allowPorts, lookup });

  test.each(Object.entries(refused))('%s are refused without name resolution', (_, urls) => {
    expect(urls.filter((text) => judge(guard, text) === 'allowed')).toEqual([]);
    expect(lookup).not.toHaveBeenCalled();
  });

  test('all schemes but two are refused', () => {
    expect(otherSchemes.filter((text) => judge(guard, text) !== 'scheme-refused')).toEqual([]);
  });

  test('the corpus holds more than 2,000 URLs that are refused for where they lead', () => {
    const texts = Object.values(refused).flat();
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => judge(guard, text) === 'address-refused').length).toBeGreaterThan(2000);
  });

  test('the URL standard reads every spelling of an IPv4 address as that address', () => {
    const misread = internalV4.flatMap((address) =>
      spellV4(address).filter((spelling) => new URL(`http://${spelling}/`).hostname !== address),
    );
    expect(misread).toEqual([]);
  });

  test.each(redirects)('a redirect $name is refused at its target', async ({ hops, refused: code }) => {
    const ending = new Guard({ lookup: tableLookup(resolved) });
    const way = ['http://www.example.org/'];
    for (const { location } of hops) way.push(new URL(location, way.at(-1)).href);
    const last = new URL(way.pop() ?? '');
    for (const url of way) ending.assertUrl(new URL(url));
    const ended = await Promise.resolve()
      .then(() => ending.assertUrl(last))
      .then(() => resolveAll(ending.lookupFor(80), last.hostname))
      .then(() => 'allowed', codeOf);
    expect(ended).toBe(code);
  });
});

describe('targets of names', () => {
  const name = 'www.example.org';

  /** Returns how the resolution of a name with these addresses ends, as far as a caller sees it. */
  async function tell(addresses: readonly string[]): Promise<string> {
    const guard = new Guard({ lookup: tableLookup({ [name]: addresses }) });
    const ended: unknown = await resolveAll(guard.lookup, name).catch((error: unknown) => error);
    return ended instanceof WebError
      ? `${ended.code}: ${ended.message}; ${ended.hint}; ${String(ended.cause)}`
      : String(ended);
  }

  const refusal =
    'address-refused: www.example.org does not resolve to the public internet; ' +
    'the operator can allow it with --allow-private www.example.org; undefined';

  test('no name leads to an address that is not public, and the refusal does not tell which it was', async () => {
    const ends = await Promise.all(internalAddresses.map((address) => tell([address])));
    expect(new Set(ends)).toEqual(new Set([refusal]));
  });

  test('one address that is not public refuses the name, at any position', async () => {
    const answers = internalAddresses.flatMap((address) => [
      [address, ...publicAddresses],
      [...publicAddresses, address],
    ]);
    expect(new Set(await Promise.all(answers.map(tell)))).toEqual(new Set([refusal]));
  });

  test('names that look public and are not are refused by their addresses only', async () => {
    const guard = new Guard({ lookup: tableLookup(resolved) });
    const names = Object.keys(misleading);
    expect(names.map((host) => verdict(() => guard.assertHost(host, 80)))).toEqual(
      names.map(() => 'allowed'),
    );
    const lookup = guard.lookupFor(80);
    const ends = await Promise.all(names.map((host) => resolveAll(lookup, host).catch(codeOf)));
    expect(ends).toEqual(names.map(() => 'address-refused'));
  });

  test('public addresses are returned in the order of the resolver', async () => {
    const guard = new Guard({ lookup: tableLookup({ 'www.example.org': publicAddresses }) });
    expect(await resolveAll(guard.lookup, 'www.example.org')).toEqual(publicAddresses);
  });
});

describe('allowed targets', () => {
  const guard = new Guard({ allowPorts });

  test('public addresses in every spelling and names of all scripts are allowed', () => {
    expect(allowed.length).toBeGreaterThan(500);
    expect(allowed.filter((text) => judge(guard, text) !== 'allowed')).toEqual([]);
  });

  test('the targets that ssrfcheck allows are allowed, except IPv6 addresses that embed a public IPv4 one', () => {
    expect(ssrfcheckPass.filter((text) => judge(guard, text) !== 'allowed')).toEqual([
      'http://[::ffff:8.8.8.8]/',
      'http://[::ffff:808:808]/',
      'http://[::ffff:0:808:808]/',
      'http://[64:ff9b::8.8.8.8]/',
      'http://[64:ff9b::808:808]/',
      'http://[64:ff9b:1::8.8.8.8]/',
      'http://[64:ff9b:1::808:808]/',
      'http://[::8.8.8.8]/',
    ]);
  });
});

describe('with a recorder in place of every connection', () => {
  const socketPath =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\rootbound-guard-${process.pid}`
      : join(tmpdir(), `rootbound-guard-${process.pid}`);
  let recorded = 0;
  const recorder = createServer((socket) => {
    recorded++;
    socket.end();
  });
  beforeAll(() => new Promise<void>((resolve) => recorder.listen(socketPath, resolve)));
  afterAll(() => new Promise((resolve) => recorder.close(resolve)));

  const hosts = [...new Set(Object.values(refused).flatMap(webHost))];

  /** Connects to a host, recorded by the recorder; returns how that ended. */
  function dial(connect: Connect, { hostname, host, protocol, port }: URL): Promise<string> {
    const bare = hostname.replace(/^\[|\]$/g, '');
    return new Promise((resolve, reject) => {
      connect({ hostname: bare, host, protocol, port }, (error, socket) => {
        socket?.destroy();
        if (error === null || !(error instanceof WebError)) reject(error ?? new Error(`${host} was reached`));
        else resolve(error.code);
      });
    });
  }

  test('a connector connects to none of them', async () => {
    const connect = new Guard({ allowPorts, lookup: tableLookup({}) }).connector({ socketPath });
    const ends = await Promise.all(hosts.map((host) => dial(connect, new URL(host))));
    expect(new Set(ends)).toEqual(new Set(['address-refused', 'port-refused', 'invalid-url']));
    expect(recorded).toBe(0);
  });

  test('without the guard the recorder receives all of them', async () => {
    const connect = buildConnector({ socketPath });
    const before = recorded;
    // in sequence, because a listener refuses more than its backlog
    for (const host of hosts) await dial(connect, new URL(host)).catch(() => {});
    await vi.waitFor(() => expect(recorded - before).toBe(hosts.length), { timeout: 120_000 });
  });
});

/** Returns the origins of texts that lead to a refused host over plain HTTP. */
function webHost(texts: readonly string[]): string[] {
  return texts
    .filter((text) => URL.canParse(text) && /^https?:/.test(new URL(text).protocol))
    .map((text) => new URL(text))
    .filter(({ hostname }) => !hostname.endsWith('example.com'))
    .map(({ host }) => `http://${host}/`);
}
