import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine } from '@rootbound/kit/cli';
import type { Client, ClientOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { spec } from '../../src/spec.ts';
import type { PageFacts } from '../ground.ts';
import { call, Served } from '../harness.ts';
import { article, Site } from '../site.ts';
import { certificate } from '../web/certificate.ts';

const served = new Served();
const site = new Site();
let folder: string;

beforeAll(async () => {
  await site.start();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-flags-')));
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a client of the server that this command line makes. */
function started(args: readonly string[], asked: Pick<ClientOptions, 'elicitation'> = {}): Promise<Client> {
  const command = parseCommandLine(spec, args);
  return command.kind === 'serve'
    ? served.client({ ...command.options, ...asked })
    : expect.fail(command.kind);
}

/** Returns the content that a server of this command line fetches, or the code of its refusal. */
async function fetched(args: readonly string[], url: string): Promise<PageFacts> {
  return (await call<PageFacts>(await started(args), 'fetch', { url })).facts;
}
async function codeOf(args: readonly string[], url: string): Promise<string | undefined> {
  return (await fetched(args, url)).failure?.code;
}

/** Returns the options that allow the site on loopback. */
const open = () => ['--allow-private', site.host];

test('--allow-domain allows only its domains and their subdomains, or one host', async () => {
  const args = ['--allow-domain', 'example.org,=example.net'];
  expect(await codeOf(args, 'http://example.com/')).toBe('domain-refused');
  expect(await codeOf(args, 'http://www.example.net/')).toBe('domain-refused');
  expect(await codeOf(args, 'http://www.example.org:25/')).toBe('port-refused');
});

test('--deny-domain refuses a host that is otherwise allowed', async () => {
  const url = site.page('/open', article(1));
  expect(await codeOf([...open(), '--deny-domain', 'localhost'], url)).toBe('domain-refused');
  expect(await codeOf(open(), url)).toBeUndefined();
});

test('--allow-private allows the host and port that it names', async () => {
  const url = site.page('/private', article(1));
  expect(await codeOf([], url)).toBe('address-refused');
  expect(await codeOf(open(), url)).toBeUndefined();
  expect(await codeOf(open(), url.replace('localhost', '127.0.0.1'))).toBe('address-refused');
});

test('--allow-port allows a port besides 80 and 443', async () => {
  const url = site.page('/port', article(1));
  const host = ['--allow-private', 'localhost'];
  expect(await codeOf(host, url)).toBe('port-refused');
  expect(await codeOf([...host, '--allow-port', new URL(url).port], url)).toBeUndefined();
});

test('--confirm-hosts asks the user before a host is first fetched from', async () => {
  const url = site.page('/agreed', article(1));
  const questions: string[] = [];
  const client = await started([...open(), '--confirm-hosts'], {
    elicitation: ({ message }) => {
      questions.push(message);
      return { action: 'accept', content: { confirm: true } };
    },
  });
  for (const _ of [1, 2]) expect((await call(client, 'fetch', { url })).failed).toBe(false);
  expect(questions).toEqual([expect.stringContaining(site.host)]);
  expect(await codeOf([...open(), '--confirm-hosts'], url)).toBe('consent-refused');
});

test('--seen-urls-only refuses a URL that was not seen', async () => {
  const url = site.page('/unseen', article(1));
  expect(await codeOf([...open(), '--seen-urls-only'], url)).toBe('unseen-url');
  expect(site.asked).not.toContain('/unseen');
});

test('--user-agent is what sites see, instead of our own name', async () => {
  const heard: (string | undefined)[] = [];
  site.paths.set('/agent', (request, response) => {
    heard.push(request.headers['user-agent']);
    response.end('ok');
  });
  await fetched(open(), site.url('/agent'));
  await fetched([...open(), '--user-agent', 'Known/1.0'], site.url('/agent'));
  expect(heard).toEqual([expect.stringMatching(/^Rootbound-Fetch\/\S+ \(autonomous\)$/), 'Known/1.0']);
});

test('--ignore-robots-txt fetches what robots.txt keeps programs from', async () => {
  const url = site.page('/robots/page', article(1));
  site.page('/robots.txt', 'User-agent: *\nDisallow: /robots/', 'text/plain');
  expect(await codeOf(open(), url)).toBe('robots-refused');
  expect(await codeOf([...open(), '--ignore-robots-txt'], url)).toBeUndefined();
});

test('--proxy-url sends every request to the proxy', async () => {
  const proxy = await new Site().start();
  onTestFinished(() => proxy.close());
  const url = site.page('/proxied', article(1));
  proxy.paths.set(url, (_, response) => response.end('by the proxy'));
  const { content } = await fetched([...open(), '--proxy-url', proxy.host], url);
  expect([content, site.asked.includes('/proxied')]).toEqual([
    expect.stringContaining('by the proxy'),
    false,
  ]);
});

test('--secrets adds header fields for their origin, with environment variables in them', async () => {
  const file = join(folder, 'secrets.json');
  const { origin } = new URL(site.url('/'));
  process.env.ROOTBOUND_TEST_TOKEN = 'token-value';
  onTestFinished(() => {
    delete process.env.ROOTBOUND_TEST_TOKEN;
  });
  const headers = { authorization: `Bearer \${ROOTBOUND_TEST_TOKEN}` };
  writeFileSync(file, JSON.stringify({ [origin]: { headers } }), { mode: 0o600 });
  const heard: (string | undefined)[] = [];
  site.paths.set('/secret', (request, response) => {
    heard.push(request.headers.authorization);
    response.end('ok');
  });
  await fetched([...open(), '--secrets', file], site.url('/secret'));
  expect(heard).toEqual(['Bearer token-value']);
});

test('a file that was removed after the start fails a call, and the next call succeeds when it exists again', async () => {
  const file = join(folder, 'lost.json');
  const url = site.page('/found', article(1));
  const client = await started([...open(), '--secrets', file]);
  expect((await call(client, 'fetch', { url })).failed).toBe(true);
  writeFileSync(file, '{}', { mode: 0o600 });
  expect((await call(client, 'fetch', { url })).failed).toBe(false);
});

test('--insecure-tls accepts the certificate of the host that it names, from any signer', async () => {
  const secure = createServer(certificate('localhost', '2'), (_, response) => response.end('secure'));
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    secure.closeAllConnections();
    secure.close();
  });
  const host = `localhost:${(secure.address() as AddressInfo).port}`; // it listens on a port
  const args = ['--allow-private', host, '--ignore-robots-txt'];
  expect(await codeOf(args, `https://${host}/`)).toBe('tls-failed');
  expect((await fetched([...args, '--insecure-tls', host], `https://${host}/`)).content).toContain('secure');
});

test('--cache-dir keeps pages for the next start', async () => {
  const url = site.page('/kept', article(1), 'text/html', { 'cache-control': 'max-age=600' });
  const args = [...open(), '--cache-dir', folder];
  const from = [];
  for (const _ of [1, 2]) {
    from.push((await fetched(args, url)).from);
    await served.close();
  }
  expect(from).toEqual(['network', 'cache']);
  expect(readdirSync(folder)).toContain('rootbound-fetch');
});

test('--fetch-timeout ends a page that does not arrive', async () => {
  site.paths.set('/never', () => {});
  const args = [...open(), '--fetch-timeout', '1', '--ignore-robots-txt'];
  expect(await codeOf(args, site.url('/never'))).toBe('timeout');
});

test('--max-download limits the size of one download', async () => {
  const url = site.page('/large.bin', Buffer.alloc(2000));
  const saved = async (most: string) => {
    const client = await started([...open(), '--max-download', most, folder]);
    return (await call<PageFacts>(client, 'download', { url })).facts.failure?.code;
  };
  expect([await saved('1K'), await saved('2K')]).toEqual(['too-large', undefined]);
});

test('--watch-interval sets how soon a change is notified', async () => {
  const url = site.page('/watched', article(1));
  const client = await started([...open(), '--watch-interval', '1']);
  const { resource } = (await call<PageFacts>(client, 'fetch', { url })).facts;
  let watching: Promise<unknown> | undefined;
  const notified = new Promise((resolve) => {
    watching = client.subscribe(resource!, resolve);
  });
  await watching;
  site.page('/watched', article(2));
  await notified;
});

test.each([
  ['follow', { status: 200 }],
  ['same-site', { failure: { code: 'redirect-refused' } }],
  ['report', { status: 302 }],
])('--redirects %s decides about a redirect to another site', async (policy, facts) => {
  const other = site.page('/other', article(1)).replace('localhost', '127.0.0.1');
  site.paths.set('/moved', (_, response) => response.writeHead(302, { location: other }).end());
  const args = ['--allow-private', `${site.host},${new URL(other).host}`, '--redirects', policy];
  expect(await fetched(args, site.url('/moved'))).toMatchObject(facts);
});

test('--browser offers screenshots and rendering', async () => {
  const names = async (args: readonly string[]) =>
    (await (await started(args)).listTools()).map(({ name }) => name);
  expect(await names([])).not.toContain('screenshot');
  expect(await names(['--browser', process.execPath])).toContain('screenshot');
});

test('--tools offers a set that is not offered by default', async () => {
  const names = async (args: readonly string[]) =>
    (await (await started(args)).listTools()).map(({ name }) => name);
  expect(await names([])).not.toContain('request');
  expect(await names(['--tools', 'request'])).toEqual(['request']);
  expect(await names(['--tools', 'read,request', '--read-only'])).not.toContain('request');
});
