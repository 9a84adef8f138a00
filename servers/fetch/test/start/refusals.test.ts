import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine } from '@rootbound/kit/cli';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spec } from '../../src/spec.ts';
import { Program } from './program.ts';

const program = new Program();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-fetch-start-'));
  mkdirSync(join(folder, 'empty'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const misspelt: [string[], RegExp][] = [
  [['--allow-domain', 'http://example.org'], /^--allow-domain wants .*example\.org.*, got "http:/],
  [['--deny-domain', '*.example.org'], /^--deny-domain wants .*example\.org.*, got "\*\.example\.org"$/],
  [['--allow-private', 'localhost:x'], /^--allow-private wants .*localhost:3000.*, got "localhost:x"$/],
  [['--allow-private', 'localhost:25'], /^--allow-private wants .*, got "localhost:25"$/],
  [['--allow-port', '70000'], /^--allow-port wants .*8443, got "70000"$/],
  [['--allow-port', '25'], /^--allow-port wants .*8443, got "25"$/],
  [['--confirm-hosts=no'], /^--confirm-hosts takes no value; leave out "=no"$/],
  [['--seen-urls-only=no'], /^--seen-urls-only takes no value; leave out "=no"$/],
  [['--user-agent', ''], /^--user-agent wants a value, got ""$/],
  [['--ignore-robots-txt=yes'], /^--ignore-robots-txt takes no value; leave out "=yes"$/],
  [['--proxy-url'], /^--proxy-url wants .*http:\/\/proxy\.example:3128, got nothing$/],
  [['--secrets', '--read-only'], /^--secrets wants a path, got --read-only; write --secrets=/],
  [['--insecure-tls', 'https://localhost'], /^--insecure-tls wants .*localhost:8443, got "https:/],
  [['--browser', ''], /^--browser wants a path, got ""$/],
  [['--browser-unsandboxed=yes'], /^--browser-unsandboxed takes no value; leave out "=yes"$/],
  [['--cache-dir', 'a', '--cache-dir', 'b'], /^--cache-dir was given twice, "a" and "b"; keep one$/],
  [['--fetch-timeout', '0'], /^--fetch-timeout must be at least 1, got "0"$/],
  [['--fetch-timeout', '601'], /^--fetch-timeout must be at most 600, got "601"$/],
  [['--max-download', 'much'], /^--max-download wants a size such as 100M or 4G, got "much"$/],
  [['--watch-interval', '0'], /^--watch-interval must be at least 1, got "0"$/],
  [['--redirects', 'folow'], /^--redirects wants one of follow, same-site, report, got "folow"; did you/],
  [['--deny', 'ok,build/[a'], /^--deny wants .*\*\.key.*, got "build\/\[a"$/],
  [['--no-default-deny=no'], /^--no-default-deny takes no value; leave out "=no"$/],
  [['--tools', 'fetsh'], /^unknown tool "fetsh" in --tools; did you mean fetch\?/],
];

test.each(misspelt)('%j is refused in one line with the flag and its values', (args, line) => {
  expect(parseCommandLine(spec, args)).toEqual({ kind: 'problem', message: expect.stringMatching(line) });
});

test('every flag of this server is refused in some way above', () => {
  const tried = new Set(misspelt.map(([[flag]]) => flag!.replace(/^--([\w-]+).*/, '$1')));
  expect(spec.options.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

const hidden = 'hidden-value';
const entry = (origin: string, more: object = {}): string =>
  JSON.stringify({ [origin]: { headers: { authorization: hidden }, ...more } });

test.each<[string, string | undefined, RegExp]>([
  ['is not there', undefined, /^--secrets names a file that does not exist; create it or correct the path$/],
  [
    'is no JSON',
    `{"a": ${hidden}`,
    /^--secrets: the file of secrets is invalid: it is not JSON.*; correct it/,
  ],
  [
    'names a path',
    entry('https://a.example/x'),
    /^--secrets: .*: each name must be an origin such as "https:/,
  ],
  [
    'has a member that nobody knows',
    entry('https://a.example', { cookies: hidden }),
    /^--secrets: .*https:\/\/a\.example has a member "cookies"; "headers" is the only one$/,
  ],
  [
    'names a variable that is not set',
    entry('https://a.example').replace(hidden, `\${ROOTBOUND_NONE}${hidden}`),
    /^--secrets: .* names the environment variable ROOTBOUND_NONE, which is not set; correct it there$/,
  ],
])('a file of secrets that %s ends the start with one line, and tells none', async (_, text, line) => {
  const file = join(folder, 'secrets.json');
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  expect(await refusalOf(['--secrets', file])).toMatch(line);
  rmSync(file, { force: true });
});

test.each<[string[], RegExp]>([
  [['--secrets', '.'], /^the file of --secrets cannot be read \(EISDIR\); name a file/],
  [
    ['--cache-dir', '/no/such/folder'],
    /^--cache-dir: the cache folder does not exist; create it or name another$/,
  ],
  [['--cache-dir', import.meta.filename], /^--cache-dir: not a folder: .*; name a folder that this user may/],
  [
    ['--browser', '/no/such/browser'],
    /^--browser: there is no browser at \/no\/such\/browser; name the executable/,
  ],
  [['--browser', import.meta.dirname], /^--browser: .* is not a file; name the executable of a Chromium/],
  [
    ['--user-agent', 'tea é\u0007'],
    /^--user-agent has characters that HTTP does not allow there; use ASCII letters/,
  ],
  [
    ['--proxy-url', `socks5://me:${hidden}@proxy.example`],
    /^--proxy-url names a proxy with the scheme socks5; only http and https are supported$/,
  ],
  [
    ['--proxy-url', 'http://'],
    /^--proxy-url is not the address of a proxy, such as .*; correct it or leave it/,
  ],
])('%j ends the start with one line with the flag and the fix', async (args, line) => {
  expect(await refusalOf(args)).toMatch(line);
});

test.each(['HTTP_PROXY', 'https_proxy', 'ALL_PROXY'])(
  'an invalid proxy in %s ends the start with one line that names it',
  async (name) => {
    const line = await refusalOf([], { [name]: `socks5://me:${hidden}@proxy.example` });
    expect(line).toBe(
      `${name.toUpperCase()} names a proxy with the scheme socks5; only http and https are supported`,
    );
  },
);

test('with valid values it starts, and ends with its input', async () => {
  const file = join(folder, 'right.json');
  writeFileSync(file, entry('https://a.example').replace(hidden, `\${ROOTBOUND_TOKEN}`), { mode: 0o600 });
  const args = ['--secrets', file, '--cache-dir', join(folder, 'empty'), '--user-agent', 'Known/1.0'];
  const environment = { HTTPS_PROXY: 'http://proxy.example:3128', ROOTBOUND_TOKEN: hidden };
  expect(await program.run(args, environment)).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** Returns the message of a program that does not start: one line on stderr without secrets. */
async function refusalOf(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await program.run(args, environment);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^server-fetch: [^\n]+\n$/)]);
  expect(stderr).not.toContain(hidden);
  return stderr.trimEnd().replace('server-fetch: ', '');
}
