import { expect, test } from 'vitest';
import { parseCommandLine, parseRoot } from '../../src/cli.ts';
import { spec } from './spec.ts';

function optionsOf(...argv: string[]) {
  const command = parseCommandLine(spec, argv);
  return command.kind === 'serve' ? command.options : expect.fail(JSON.stringify(command));
}

function problemOf(...argv: string[]): string {
  const command = parseCommandLine(spec, argv);
  return command.kind === 'problem' ? command.message : expect.fail(`accepted: ${JSON.stringify(command)}`);
}

test('without arguments every option has its default', () => {
  expect(optionsOf()).toEqual({
    roots: [],
    readOnly: false,
    tools: ['read_file', 'write_file', 'list_directory'],
    clientRoots: 'narrow',
    maxOutput: 102_400,
    logLevel: 'warning',
    logJson: false,
    extra: {
      repository: [],
      'allow-domain': [],
      timeout: undefined,
      'user-agent': undefined,
      cache: undefined,
      trust: [],
      'ignore-robots-txt': false,
    },
  });
});

test('every option is read, wherever it stands among the roots', () => {
  const argv =
    '/a --read-only --max-output 32M /b:ro --client-roots=strict --log-level debug --log-json ' +
    '--timeout 30 --user-agent=a=b --cache ./c --trust ./d,e --trust=../f --ignore-robots-txt --allow-domain x.org,y.org';
  expect(optionsOf(...argv.split(' '))).toEqual({
    roots: [
      { path: '/a', readOnly: false },
      { path: '/b', readOnly: true },
    ],
    readOnly: true,
    tools: ['read_file', 'write_file', 'list_directory'],
    clientRoots: 'strict',
    maxOutput: 33_554_432,
    logLevel: 'debug',
    logJson: true,
    extra: {
      repository: [],
      'allow-domain': ['x.org', 'y.org'],
      timeout: 30,
      'user-agent': 'a=b',
      cache: './c',
      trust: ['./d,e', '../f'],
      'ignore-robots-txt': true,
    },
  });
});

test('options cannot be changed once they are read', () => {
  const options = optionsOf('/a');
  expect([options, options.roots, options.extra].map(Object.isFrozen)).toEqual([true, true, true]);
});

test('behind -- everything is a root', () => {
  expect(optionsOf('--read-only', '--', '--tools', '-x', '--').roots.map((root) => root.path)).toEqual([
    '--tools',
    '-x',
    '--',
  ]);
});

test('the option of another server that names a folder adds a root', () => {
  const options = optionsOf('--repository', '/repo:ro', '-r', '/other', '/more');
  expect(options.roots.map((root) => root.path)).toEqual(['/repo', '/other', '/more']);
  expect(options.extra.repository).toEqual(['/repo', '/other']);
});

test('lists add up, flags may repeat, and one value said twice is one value', () => {
  const options = optionsOf(
    ...'--tools read_file --tools=write_file --read-only --read-only --log-level info --log-level info'.split(
      ' ',
    ),
  );
  expect([options.tools, options.readOnly, options.logLevel]).toEqual([
    ['read_file', 'write_file'],
    true,
    'info',
  ]);
});

test('tools are those asked for without those excluded, in the order of the server', () => {
  expect(optionsOf('--tools', 'list_directory, read_file').tools).toEqual(['read_file', 'list_directory']);
  expect(optionsOf('--exclude-tools', 'write_file').tools).toEqual(['read_file', 'list_directory']);
  expect(optionsOf('--tools', 'read_file,write_file', '--exclude-tools', 'write_file').tools).toEqual([
    'read_file',
  ]);
});

test.each([
  [['--help'], { kind: 'help' }],
  [['-h', '--nonsense'], { kind: 'help' }],
  [['/a', '--version'], { kind: 'version' }],
  [['-V'], { kind: 'version' }],
])('%j asks for words only', (argv, command) => {
  expect(parseCommandLine(spec, argv)).toEqual(command);
});

test('--doctor and --print-config carry the options that they look at', () => {
  expect(parseCommandLine(spec, ['--doctor', '/a'])).toMatchObject({
    kind: 'doctor',
    options: { roots: [{ path: '/a' }] },
  });
  expect(parseCommandLine(spec, ['--print-config', 'zed', '/a'])).toMatchObject({
    kind: 'print-config',
    client: 'zed',
    options: { roots: [{ path: '/a' }] },
  });
});

test.each([
  ['--reed-only', 'unknown option --reed-only; did you mean --read-only?'],
  ['--Read-Only', 'unknown option --Read-Only; did you mean --read-only?'],
  ['--repositry /a', 'unknown option --repositry; did you mean --repository?'],
  ['--frobnicate=1', 'unknown option --frobnicate; --help lists the options'],
  ['-x', 'unknown option -x; did you mean -V?'],
  ['--max-output lots', '--max-output wants a size such as 100K or 32M, got "lots"'],
  ['--max-output 10', '--max-output must be at least 1 KB, got "10"'],
  ['--max-output 9G', '--max-output must be at most 256 MB, got "9G"'],
  ['--max-output=', '--max-output wants a size such as 100K or 32M, got ""'],
  ['--max-output', '--max-output wants a size such as 100K or 32M, got nothing'],
  ['--timeout 1.5', '--timeout wants a whole number, got "1.5"'],
  ['--timeout 601', '--timeout must be at most 600, got "601"'],
  ['--read-only=yes', '--read-only takes no value; leave out "=yes"'],
  ['--client-roots loose', '--client-roots wants one of narrow, strict, ignore, got "loose"'],
  [
    '--client-roots stirct',
    '--client-roots wants one of narrow, strict, ignore, got "stirct"; did you mean strict?',
  ],
  ['--log-level info --log-level debug', '--log-level was given twice, "info" and "debug"; keep one'],
  ['--tools ,', '--tools wants names separated by commas, got ","'],
  [
    '--tools --read-only',
    '--tools wants names separated by commas, got --read-only; write --tools=--read-only if that is the value',
  ],
  [
    '--tools reed_file',
    'unknown tool "reed_file" in --tools; did you mean read_file? the tools are read_file, write_file, list_directory',
  ],
  [
    '--exclude-tools zap',
    'unknown tool "zap" in --exclude-tools; the tools are read_file, write_file, list_directory',
  ],
  [
    '--tools read_file --exclude-tools read_file',
    '--tools and --exclude-tools leave no tool; name one that is not excluded',
  ],
  ['--cache=', '--cache wants a path, got ""'],
  ['--repository :ro', '--repository wants a path, got ":ro"'],
  [':ro', 'a root wants a path, got ":ro"'],
])('%j is refused with the fix', (line, message) => {
  expect(problemOf(...line.split(' '))).toBe(message);
});

function httpOf(line: string) {
  const command = parseCommandLine(spec, line.split(' '));
  if (command.kind !== 'serve') throw new Error(`expected options, got ${JSON.stringify(command)}`);
  return command.options.http;
}

test('without --http there is nothing to listen on', () => {
  expect(httpOf('--read-only')).toBeUndefined();
});

test.each([
  ['--http 3000', { host: '127.0.0.1', port: 3000 }],
  ['--http=0', { host: '127.0.0.1', port: 0 }],
  ['--http localhost:80', { host: 'localhost', port: 80 }],
  ['--http [::1]:8080', { host: '::1', port: 8080 }],
  ['--http 0.0.0.0:80 --no-auth', { host: '0.0.0.0', port: 80, noAuth: true }],
  ['--http 1 --sse --ws', { sse: true, ws: true }],
  ['--http 1', { sse: false, ws: false, sessionIdle: 30, sessionCap: 1000, auth: undefined, noAuth: false }],
  ['--http 1 --session-idle 5 --session-cap 20', { sessionIdle: 5, sessionCap: 20 }],
  [
    '--http 1 --allow-origin https://a.example/,http://b:1',
    { allowOrigins: ['https://a.example', 'http://b:1'] },
  ],
  ['--http 1 --allow-host a.example,b', { allowHosts: ['a.example', 'b'] }],
  [
    '--http 10.0.0.1:80 --auth-issuer https://i.example --auth-audience https://me.example/mcp --auth-scopes a,b',
    {
      auth: {
        issuer: 'https://i.example',
        audience: 'https://me.example/mcp',
        jwks: undefined,
        scopes: ['a', 'b'],
      },
    },
  ],
])('%j says how HTTP is served', (line, expected) => {
  expect(httpOf(line)).toMatchObject(expected);
});

test("over HTTP the client's roots are ignored unless told otherwise", () => {
  const policyOf = (...argv: string[]) => {
    const command = parseCommandLine(spec, argv);
    return command.kind === 'serve' ? command.options.clientRoots : undefined;
  };
  expect(policyOf()).toBe('narrow');
  expect(policyOf('--http', '0')).toBe('ignore');
  expect(policyOf('--http', '0', '--client-roots', 'strict')).toBe('strict');
});

const ADDRESS = '--http wants a port, or host:port, such as 3000 or 0.0.0.0:3000, got';
const BEYOND = 'is beyond loopback; add --auth-issuer with --auth-audience, or --no-auth to serve anyone';

test.each([
  ['--http', '--http wants a value such as 3000 or 0.0.0.0:3000, got nothing'],
  ['--http port', `${ADDRESS} "port"`],
  ['--http 65536', `${ADDRESS} "65536"`],
  ['--http :80', `${ADDRESS} ":80"`],
  ['--http ::1:80', `${ADDRESS} "::1:80"`],
  ['--http 0.0.0.0:80', `--http "0.0.0.0:80" ${BEYOND}`],
  ['--http files.example:80', `--http "files.example:80" ${BEYOND}`],
  ['--http 127.0.0.1.evil.example:80', `--http "127.0.0.1.evil.example:80" ${BEYOND}`],
  ['--http [::]:80', `--http "[::]:80" ${BEYOND}`],
  ['--sse', '--sse is about HTTP; add --http <port> or leave it out'],
  ['--ws', '--ws is about HTTP; add --http <port> or leave it out'],
  ['--no-auth', '--no-auth is about HTTP; add --http <port> or leave it out'],
  ['--session-cap 3', '--session-cap is about HTTP; add --http <port> or leave it out'],
  ['--http 1 --session-cap 0', '--session-cap must be at least 1, got "0"'],
  [
    '--http 1 --auth-scopes a',
    '--auth-scopes needs --auth-issuer <url>, the authorization server whose tokens are good',
  ],
  [
    '--http 1 --auth-issuer https://a.example',
    '--auth-issuer needs --auth-audience <url>, the address by which clients reach this server',
  ],
  [
    '--http 1 --auth-issuer a.example --auth-audience x',
    '--auth-issuer wants an https URL such as https://login.example, got "a.example"',
  ],
  [
    '--http 1 --no-auth --auth-issuer https://a.example --auth-audience x',
    '--no-auth and --auth-issuer exclude each other; keep one',
  ],
  [
    '--http 1 --allow-origin https://a.example/page',
    '--allow-origin wants an origin such as https://app.example, got "https://a.example/page"',
  ],
])('%j is refused with the fix, before anything listens', (line, message) => {
  expect(problemOf(...line.split(' '))).toBe(message);
});

test('an empty argument is refused rather than taken for the working folder', () => {
  expect(problemOf('')).toBe('a root wants a path, got ""');
});

test.each(['--evil\n\u001b[2Joption', '--max-output=\r\nok', '--log-level=\u202egnp.exe', '--tools=\u0000'])(
  'a problem with %j stays on one line and shows what was hidden',
  (argument) => {
    expect(problemOf(argument)).toMatch(/^[\x20-\x7e]+$/);
  },
);

test('an endless value is not repeated in full', () => {
  expect(problemOf(`--log-level=${'x'.repeat(100_000)}`).length).toBeLessThan(500);
});

test.each<[string, NodeJS.Platform, ReturnType<typeof parseRoot>]>([
  ['/srv/data', 'linux', { path: '/srv/data', readOnly: false }],
  ['/srv/data:ro', 'linux', { path: '/srv/data', readOnly: true }],
  ['/srv/data:ro/', 'linux', { path: '/srv/data:ro/', readOnly: false }],
  ['/srv/a:b', 'linux', { path: '/srv/a:b', readOnly: false }],
  ['/srv/a:ro:ro', 'linux', { path: '/srv/a:ro', readOnly: true }],
  ['d:ro', 'linux', { path: 'd', readOnly: true }],
  ['d:ro', 'win32', { path: 'd:ro', readOnly: false }],
  ['D:\\data', 'win32', { path: 'D:\\data', readOnly: false }],
  ['D:\\data:ro', 'win32', { path: 'D:\\data', readOnly: true }],
  ['D:\\:ro', 'win32', { path: 'D:\\', readOnly: true }],
  ['\\\\host\\share:ro', 'win32', { path: '\\\\host\\share', readOnly: true }],
  ['\\\\host\\share\\', 'win32', { path: '\\\\host\\share\\', readOnly: false }],
  ['\\\\?\\C:\\data:ro', 'win32', { path: '\\\\?\\C:\\data', readOnly: true }],
  ['C:', 'win32', { path: 'C:\\', readOnly: false }],
  ['C::ro', 'win32', { path: 'C:\\', readOnly: true }],
  ['~', 'linux', { path: '~', readOnly: false }],
  ['~/data/:ro', 'linux', { path: '~/data/', readOnly: true }],
  ['~user', 'linux', { path: '~user', readOnly: false }],
  ['./~', 'linux', { path: './~', readOnly: false }],
  ['data/', 'linux', { path: 'data/', readOnly: false }],
  ['../data//:ro', 'linux', { path: '../data//', readOnly: true }],
  ['/dev/shm/work', 'linux', { path: '/dev/shm/work', readOnly: false }],
  ['/process', 'linux', { path: '/process', readOnly: false }],
  ['/srv/dev', 'linux', { path: '/srv/dev', readOnly: false }],
  [':ro', 'linux', undefined],
  ['', 'linux', undefined],
])('the root %j on %s is read as %j', (text, platform, root) => {
  expect(parseRoot(text, platform)).toEqual(root);
});

test.each(['/proc', '/proc/self/', '/sys/kernel:ro', '/dev', '//dev/./pts', '/dev/shm/../mem'])(
  'the root %s, where the system shows itself as files, is a problem',
  (root) => {
    expect(problemOf(root)).toMatch(
      /^a root is a folder of files, got ".*", which shows the state of the system$/,
    );
  },
);
