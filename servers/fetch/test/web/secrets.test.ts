import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadSecrets, parseSecrets } from '../../src/web/secrets.ts';
import { failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

const under = (host: string, origin: string) => origin.replace('localhost', host);
const entry = (origin: string, headers: object) => JSON.stringify({ [origin]: { headers } });

async function mirror(): Promise<string> {
  return await loopback.http((request, response) => {
    const target = /^\/to\/(.*)$/.exec(request.url!)?.[1];
    if (target === undefined) response.end(JSON.stringify(request.headers));
    else response.writeHead(307, { location: decodeURIComponent(target) }).end();
  });
}

test('fields of the configuration go to their origin alone, on every hop', async () => {
  const origin = await mirror();
  const secrets = parseSecrets(entry(origin, { authorization: `Bearer \${TOKEN}`, 'X-Api-Key': 'key' }), {
    TOKEN: 't1',
  });
  const web = loopback.web({ secrets });
  const to = (url: string) => `/to/${encodeURIComponent(url)}`;
  const sentTo = async (url: string) => {
    const { authorization, 'x-api-key': key } = JSON.parse(await read(web, url));
    return [authorization, key];
  };
  const both = ['Bearer t1', 'key'];
  const none = [undefined, undefined];
  expect(await sentTo(`${origin}/x`)).toEqual(both);
  expect(await sentTo(origin + to('/x'))).toEqual(both);
  const elsewhere = under('other.org', origin);
  expect(await sentTo(`${elsewhere}/x`)).toEqual(none);
  expect(await sentTo(origin + to(`${elsewhere}/x`))).toEqual(none);
  expect(await sentTo(origin + to(elsewhere + to(`${origin}/x`)))).toEqual(both);
  const otherPort = await mirror();
  expect(await sentTo(origin + to(`${otherPort}/x`))).toEqual(none);
});

test('robots.txt is asked for without them', async () => {
  const seen: (string | undefined)[] = [];
  const origin = await loopback.http((request, response) => {
    seen.push(request.headers.authorization);
    response.end('');
  });
  const secrets = parseSecrets(entry(origin, { authorization: 'secret' }), {});
  await read(loopback.web({ secrets, ignoreRobots: false }), `${origin}/x`);
  expect(seen).toEqual([undefined, 'secret']);
});

test('a failure does not tell them', async () => {
  const origin = await loopback.http((_, response) => response.socket!.destroy());
  const secrets = parseSecrets(entry(origin, { authorization: 'secret-value' }), {});
  const error = await failureOf(loopback.web({ secrets }), origin);
  expect(JSON.stringify([error.message, error.hint, error.way, String(error.cause)])).not.toContain(
    'secret-value',
  );
});

test('a file of secrets is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rootbound-secrets-'));
  loopback.later(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secrets.json');
  await writeFile(file, entry('https://api.example.org/', { Authorization: 'x' }));
  expect([...(await loadSecrets(file, {}))]).toEqual([['https://api.example.org', { authorization: 'x' }]]);
});

const hidden = 'hidden-value';
test.each<[string, string, string]>([
  ['no JSON', `{ "https://a.org": { "headers": { "x": "${hidden}" } }, }`, 'it is not JSON'],
  ['a list', '[]', 'it must be an object'],
  ['a path', entry('https://a.org/path', { x: hidden }), 'each name must be an origin'],
  ['a user', entry('https://u:hidden-value@a.org', { x: hidden }), 'each name must be an origin'],
  ['no scheme', entry('a.org', { x: hidden }), 'each name must be an origin'],
  ['another scheme', entry('ftp://a.org', { x: hidden }), 'each name must be an origin'],
  ['capitals', entry('https://A.org', { x: hidden }), 'each name must be an origin'],
  ['no headers', '{ "https://a.org": {} }', '"headers" of https://a.org must be an object'],
  [
    'another member',
    '{ "https://a.org": { "headers": {}, "cookies": {} } }',
    'https://a.org has a member "cookies"',
  ],
  ['a number', entry('https://a.org', { x: 1 }), 'the header "x" of https://a.org must be a string'],
  [
    'a line break',
    entry('https://a.org', { x: `${hidden}\n` }),
    'the header "x" of https://a.org has characters',
  ],
  [
    'a framing field',
    entry('https://a.org', { 'Content-Length': hidden }),
    '"Content-Length" of https://a.org cannot be set',
  ],
  ['no field name', entry('https://a.org', { 'a b': hidden }), '"a b" of https://a.org cannot be set'],
  [
    'an unset variable',
    entry('https://a.org', { x: `\${NONE}${hidden}` }),
    'names the environment variable NONE, which is not set',
  ],
  [
    'an origin twice',
    `{ "https://a.org": { "headers": {} }, "https://a.org/": { "headers": { "x": "${hidden}" } } }`,
    'https://a.org occurs twice',
  ],
])('%s in a file of secrets is refused with its position, never its value', (_, text, words) => {
  const failure = (() => {
    try {
      parseSecrets(text, {});
      return 'none';
    } catch (error) {
      return String(error);
    }
  })();
  expect(failure).toContain(words);
  expect(failure).not.toContain(hidden);
});
