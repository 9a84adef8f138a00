import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Program } from './program.ts';

const program = new Program();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-fetch-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the lines of `--doctor` and its exit code. */
async function found(args: readonly string[] = [], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await program.run(['--doctor', ...args], environment);
  expect(stderr).toBe('');
  return { code, lines: stdout.trimEnd().split('\n') };
}

/** Creates a file of secrets for one origin, with this mode. */
function secretsFile(mode: number): string {
  const file = join(folder, 'secrets.json');
  writeFileSync(file, `{"https://api.example":{"headers":{"authorization":"Bearer \${TOKEN}"}}}`);
  chmodSync(file, mode);
  return file;
}

test('a server without options passes, also without a root', async () => {
  const { code, lines } = await found();
  expect([code, lines.filter((line) => !line.startsWith('ok'))]).toEqual([0, []]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'ok   no proxy: pages are requested directly',
      'ok   fetched pages are cached in memory',
      'ok   no browser: pages are read without running their scripts',
      expect.stringMatching(
        /^ok {3}downloads go below the roots of the client, containment (kernel|best-effort)$/,
      ),
    ]),
  );
});

test('proxies are listed without passwords, with their exceptions and a warning', async () => {
  const { code, lines } = await found([], {
    HTTP_PROXY: 'http://me:hidden-value@proxy.example:3128',
    NO_PROXY: 'localhost,.internal.example:8443',
  });
  expect(code).toBe(0);
  expect(lines).toContain(
    'ok   proxies: http by http://proxy.example:3128, https directly; without one: localhost, internal.example:8443',
  );
  expect(lines.find((line) => line.startsWith('warn'))).toMatch(
    /^warn a proxy .*: configure it to refuse private/,
  );
  expect(lines.join()).not.toContain('hidden-value');
});

test.each([
  [
    ['--proxy-url', 'ftp://proxy.example'],
    {},
    'fail --proxy-url names a proxy with the scheme ftp: only http and https',
  ],
  [
    [],
    { all_proxy: 'socks5://proxy.example' },
    'fail ALL_PROXY names a proxy with the scheme socks5: only http and',
  ],
  [
    ['--cache-dir', '/no/such/folder'],
    {},
    'fail --cache-dir: the cache folder does not exist: create it or name',
  ],
  [
    ['--secrets', '/no/such/file'],
    {},
    'fail --secrets names a file that does not exist: create it or correct',
  ],
  [
    ['--browser', '/no/such/browser'],
    {},
    'fail there is no browser at /no/such/browser: name the executable',
  ],
  [['--browser', process.execPath], {}, `fail ${process.execPath} is not a Chromium: name a`],
  [
    ['--user-agent', 'a\nb'],
    {},
    'fail --user-agent has characters that HTTP does not allow there: use ASCII letters',
  ],
] as const)('%j with the environment %j fails, with the fix', async (args, environment, line) => {
  const { code, lines } = await found(args, environment);
  expect([code, lines.filter((one) => one.startsWith('fail'))]).toEqual([1, [expect.stringContaining(line)]]);
});

test('only the origins of secrets are listed, and a variable that is not set fails', async () => {
  const args = ['--secrets', secretsFile(0o600)];
  const { code, lines } = await found(args, { TOKEN: 'hidden-value' });
  expect([code, lines.join()]).toEqual([0, expect.not.stringContaining('hidden-value')]);
  expect(lines).toContain('ok   secrets for https://api.example');
  const without = await found(args);
  expect(without.lines.find((line) => line.startsWith('fail'))).toContain('TOKEN, which is not set');
});

test.skipIf(process.platform === 'win32')(
  'a file of secrets that others may read is a warning that says how to end that',
  async () => {
    const { code, lines } = await found(['--secrets', secretsFile(0o640)], { TOKEN: 'x' });
    expect([code, lines.find((line) => line.startsWith('warn'))]).toEqual([
      0,
      'warn secrets for https://api.example; other users may read or change the file: restrict its permissions (chmod 600)',
    ]);
  },
);

test('the folder of the cache is checked', async () => {
  const { code, lines } = await found(['--cache-dir', folder]);
  expect([code, lines]).toEqual([
    0,
    expect.arrayContaining([`ok   fetched pages are cached in ${folder}, which is writable`]),
  ]);
});

test.skipIf(process.platform === 'win32')('a browser is asked for its version', async () => {
  const path = join(folder, 'chromium');
  writeFileSync(path, '#!/bin/sh\necho Chromium 140.0.1 built on nothing\n', { mode: 0o755 });
  const { code, lines } = await found(['--browser', path]);
  expect([code, lines]).toEqual([
    0,
    expect.arrayContaining([`ok   browser Chromium 140.0.1 built on nothing at ${path}`]),
  ]);
});

test('the folder of downloads is listed, or why there is none', async () => {
  const [read, write] = ['read', 'write'].map((name) => join(folder, name));
  for (const path of [read!, write!]) mkdirSync(path);
  const lineOf = async (...args: string[]) =>
    (await found(args)).lines.find((line) => line.includes('download'));
  expect(await lineOf(`${read}:ro`, write!)).toMatch(`ok   downloads go below ${write}, containment `);
  expect(await lineOf(`${read}:ro`)).toMatch(/^warn every root is read-only, .*: name a writable folder/);
  expect(await lineOf('--client-roots', 'ignore')).toMatch(
    /^warn there is no root, .*: name a writable folder/,
  );
  expect(await lineOf('--read-only', write!)).toBe('ok   downloads are not offered');
  expect(await lineOf('--tools', 'read', write!)).toBe('ok   downloads are not offered');
});
