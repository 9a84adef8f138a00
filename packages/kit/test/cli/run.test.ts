import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine, type ServeOptions } from '../../src/cli.ts';
import { recordedIo, type Seen, spec } from './spec.ts';

const folder = mkdtempSync(join(tmpdir(), 'rootbound-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const neverServed = () => expect.fail('it served');

async function run(argv: string[], place: Parameters<typeof recordedIo>[0] = {}): Promise<Seen> {
  const { io, seen } = recordedIo(place);
  await runCommandLine(spec, argv, neverServed, io);
  return seen;
}

test('a plain command line serves before anything else happens, silently', () => {
  const { io, seen } = recordedIo();
  const served: ServeOptions[] = [];
  void runCommandLine(
    spec,
    ['/srv/data:ro', 'docs', '~', '~/notes'],
    (options) => void served.push(options),
    io,
  );
  expect(served.map((options) => options.roots)).toEqual([
    [
      { path: '/srv/data', readOnly: true },
      { path: '/home/ann/project/docs', readOnly: false },
      { path: '/home/ann', readOnly: false },
      { path: '/home/ann/notes', readOnly: false },
    ],
  ]);
  expect(seen).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

test("a server's own paths are absolute too", () => {
  const { io } = recordedIo();
  let extra: unknown;
  void runCommandLine(
    spec,
    ['--cache', 'c', '-r', '~/repo:ro', '--trust', '~/own', '--trust', 'x', '--user-agent', 'c'],
    (options) => {
      extra = options.extra;
    },
    io,
  );
  expect(extra).toMatchObject({
    cache: '/home/ann/project/c',
    repository: ['/home/ann/repo'],
    trust: ['/home/ann/own', '/home/ann/project/x'],
    'user-agent': 'c',
  });
});

test('what serving promises is what the caller waits for', async () => {
  const failure = new Error('port is taken');
  await expect(runCommandLine(spec, [], () => Promise.reject(failure), recordedIo().io)).rejects.toBe(
    failure,
  );
});

test('a problem is one line on stderr and exit code 2', async () => {
  expect(await run(['--reed-only'])).toEqual({
    stdout: '',
    stderr: 'server-sample: unknown option --reed-only; did you mean --read-only?\n',
    exitCode: 2,
  });
});

test('a program with a name of its own has it in the help and in problems', async () => {
  const named = { ...spec, program: 'samples' };
  const { io, seen } = recordedIo();
  await runCommandLine(named, ['--help'], () => {}, io);
  expect(seen.stdout).toMatch(/^samples 1\.2\.3: [\s\S]*^Usage: samples /m);
  await runCommandLine(named, ['--reed-only'], () => {}, io);
  expect(seen.stderr).toMatch(/^samples: unknown option/);
});

test('--version is the version alone on stdout', async () => {
  expect(await run(['--version'])).toEqual({ stdout: '1.2.3\n', stderr: '', exitCode: 0 });
});

test('--help names every option that this build has and none that it refuses', async () => {
  const { stdout, stderr, exitCode } = await run(['--help']);
  for (const option of [
    'read-only',
    'tools',
    'client-roots',
    'max-output',
    'print-config',
    'doctor',
    'repository',
  ]) {
    expect(stdout).toContain(`--${option}`);
  }
  expect(stdout).not.toContain('undefined');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  expect([stderr, exitCode]).toEqual(['', 0]);
});

test('--print-config with --http prints the entry that names the address, and tells what has to run', async () => {
  const { stdout, stderr, exitCode } = await run(['--print-config', 'cursor', '--http', '3000', 'a']);
  expect(JSON.parse(stdout)).toEqual({ mcpServers: { sample: { url: 'http://127.0.0.1:3000/mcp' } } });
  expect(stderr).toMatch(/^\.cursor\/mcp\.json /);
  expect(stderr).toContain(
    '\n  node /opt/rootbound/servers/sample/dist/cli.js --http 3000 /home/ann/project/a\n',
  );
  expect(exitCode).toBe(0);
});

const issuer = ['--auth-issuer', 'https://login.example', '--auth-audience'];

test.each([
  ['the host that is given', ['--http', 'localhost:80'], 'http://localhost:80/mcp'],
  ['an address of version 6', ['--http', '[::1]:3000'], 'http://[::1]:3000/mcp'],
  ['this machine for all of them', ['--http', '0.0.0.0:3000', '--no-auth'], 'http://127.0.0.1:3000/mcp'],
  [
    'a name that is let in',
    ['--http', '0.0.0.0:3000', '--no-auth', '--allow-host', 'files.example'],
    'http://files.example:3000/mcp',
  ],
  [
    'what tokens are made out for',
    ['--http', '0.0.0.0:3000', ...issuer, 'https://files.example/v1/mcp'],
    'https://files.example/v1/mcp',
  ],
  [
    'what tokens are made out for, with the path',
    ['--http', '3000', ...issuer, 'https://files.example'],
    'https://files.example/mcp',
  ],
  [
    'the host where tokens are made out for a name',
    ['--http', '3000', ...issuer, 'files'],
    'http://127.0.0.1:3000/mcp',
  ],
])('the address of an entry is %s', async (_what, argv, url) => {
  const { stdout } = await run(['--print-config', 'cursor', ...argv]);
  expect(JSON.parse(stdout).mcpServers.sample.url).toBe(url);
});

test('only an entry for a server that wants tokens has a header', async () => {
  const { stdout } = await run(['--print-config', 'cursor', '--http', '3000', ...issuer, 'files']);
  expect(JSON.parse(stdout).mcpServers.sample.headers).toEqual({
    Authorization: `Bearer \${env:ROOTBOUND_TOKEN}`,
  });
});

test.each([
  [
    ['claude-desktop', '--http', '3000'],
    'claude-desktop cannot name an address: leave out --http, or add an https address under Settings, Connectors',
  ],
  [
    ['cursor', '--http', '0'],
    'wants a port that stays; --http 0 takes another one at each start, so give it a number',
  ],
])('--print-config %j says what to do instead', async (argv, words) => {
  expect(await run(['--print-config', ...argv])).toEqual({
    stdout: '',
    stderr: `server-sample: --print-config ${words}\n`,
    exitCode: 2,
  });
});

test('--print-config tells the link that does the same, and prints it nowhere but on stderr', async () => {
  const { stdout, stderr } = await run(['--print-config', 'vscode', '/a']);
  expect(stderr).toMatch(/\nhttps:\/\/vscode\.dev\/\S+\n$/);
  expect(stdout).not.toContain('vscode.dev');
});

test('--print-config in a checkout names the file, and keeps the options with absolute paths', async () => {
  const argv = [
    '--print-config',
    'cursor',
    '--read-only',
    '--cache=c',
    '--trust',
    'own',
    '-r',
    'repo:ro',
    '--max-output',
    '1M',
    'docs',
  ];
  const { stdout, stderr } = await run(argv);
  expect(JSON.parse(stdout)).toEqual({
    mcpServers: {
      sample: {
        command: 'node',
        args: [
          '/opt/rootbound/servers/sample/dist/cli.js',
          '--read-only',
          '--cache',
          '/home/ann/project/c',
          '--trust',
          '/home/ann/project/own',
          '--repository',
          '/home/ann/project/repo:ro',
          '--max-output',
          '1M',
          '/home/ann/project/docs',
        ],
      },
    },
  });
  expect(stderr).toContain('.cursor/mcp.json');
});

test('an installed server is started again through npx, also when a link leads to it', async () => {
  const installed = join(folder, 'node_modules', '@rootbound', 'server-sample', 'dist');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'cli.js'), '');
  symlinkSync(join(installed, 'cli.js'), join(folder, 'server-sample'));
  const { stdout } = await run(['--print-config', 'cursor', '/a'], { entry: join(folder, 'server-sample') });
  const { command, args } = JSON.parse(stdout).mcpServers.sample;
  expect([command, ...args]).toEqual(['npx', '-y', '@rootbound/server-sample', '/a']);
});

test('on Windows an installed server is started through cmd, since npx is a script there', async () => {
  const entry = 'C:\\tools\\node_modules\\@rootbound\\server-sample\\dist\\cli.js';
  const { stdout } = await run(['--print-config', 'cursor', '/a'], { entry, platform: 'win32' });
  const { command, args } = JSON.parse(stdout).mcpServers.sample;
  expect([command, ...args]).toEqual(['cmd', '/c', 'npx', '-y', '@rootbound/server-sample', '/a']);
});

test('printed arguments are read back as the same options', async () => {
  const argv = [
    '--user-agent=--odd',
    '--allow-domain',
    'a.org,b.org',
    '-r',
    '/repo',
    '/data:ro',
    '--',
    '/x:ro/',
  ];
  const { stdout } = await run([...argv.slice(0, 3), '--print-config', 'cursor', ...argv.slice(3)]);
  const printed: string[] = JSON.parse(stdout).mcpServers.sample.args.slice(1);
  const served: ServeOptions[] = [];
  for (const line of [argv, printed]) {
    void runCommandLine(spec, line, (options) => void served.push(options), recordedIo().io);
  }
  expect(served[1]).toEqual(served[0]);
});

test('the doctor says of each root whether it can be used and what to do if not', async () => {
  writeFileSync(join(folder, 'file.txt'), '');
  const [missing, file] = [join(folder, 'missing'), join(folder, 'file.txt')];
  const { stdout, stderr, exitCode } = await run(['--doctor', folder, `${folder}:ro`, missing, file]);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ok {3}node \d+/),
      expect.stringMatching(`^ok {3}root ${folder}, readable and writable(?:, on \\S+)?$`),
      expect.stringMatching(`^ok {3}root ${folder}, read-only(?:, on \\S+)?$`),
      `fail root ${missing} does not exist: create it or correct the path`,
      `fail root ${file} is not a directory: name the directory that holds it`,
    ]),
  );
  expect([stderr, exitCode]).toEqual(['', 1]);
});

test('a server whose roots may be files accepts one', async () => {
  const { io, seen } = recordedIo();
  const file = join(folder, 'data.db');
  writeFileSync(file, '');
  await runCommandLine({ ...spec, rootKinds: 'directories-and-files' }, ['--doctor', file], neverServed, io);
  expect([seen.stdout.includes(`ok   root ${file}, readable and writable`), seen.exitCode]).toEqual([
    true,
    0,
  ]);
});

test('the doctor warns of no root, and fails when those of the client are ignored as well', async () => {
  const warned = await run(['--doctor']);
  const failed = await run(['--doctor', '--client-roots', 'ignore']);
  expect([warned.stdout.includes('warn no root is given'), warned.exitCode]).toEqual([true, 0]);
  expect([failed.stdout.includes('fail no root is given'), failed.exitCode]).toEqual([true, 1]);
});

test("the server's own checks follow, and a failure among them is one of the whole", async () => {
  const { io, seen } = recordedIo();
  const checks = async () => [{ state: 'fail', what: 'git is missing', fix: 'install git' } as const];
  await runCommandLine({ ...spec, checks }, ['--doctor', folder], neverServed, io);
  expect([seen.stdout.endsWith('fail git is missing: install git\n'), seen.exitCode]).toEqual([true, 1]);
});
