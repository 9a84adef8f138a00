import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, program } from '../wire/program.ts';

let bin: Program;
let server: Program;
beforeAll(async () => {
  [bin, server] = await Promise.all([program('../../src/cli.ts'), program('./server.ts')]);
});
afterAll(() => {
  bin.remove();
  server.remove();
});

/** Runs the program as a shell does. */
async function start(
  argv: readonly string[],
  input = '',
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [bin.path, ...argv]);
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, out, err };
}

describe('the program', () => {
  test('inspects a command after --, and does not interpret its flags', async () => {
    const { code, out, err } = await start(['inspect', '--', process.execPath, '--no-warnings', server.path]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('fixture 1.2.3: Fixture. One of everything\nspeaks 2026-07-28 (stateless);');
  });

  test.each([
    ['2025-11-25', '"clientInfo":'],
    ['2026-07-28', '"io.modelcontextprotocol/clientInfo":'],
  ])('sends a server of %s the version of its package', async (revision, member) => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const argv = ['inspect', '--wire', '--revision', revision, '--', process.execPath, server.path];
    const { err } = await start(argv);
    expect(err).toContain(`${member}{"name":"inspect","version":"${version}"}`);
  });

  test('takes arguments from stdin', async () => {
    const argv = ['inspect', '--call', 'echo', '--args', '-', '--', process.execPath, server.path];
    const { code, out } = await start(argv, '{"text":"from stdin"}');
    expect([code, out]).toEqual([0, 'from stdin\n']);
  });

  test('passes the given variables to a command, and prints its stderr', async () => {
    const script = 'process.stderr.write("own " + process.env.OWN)';
    const argv = ['inspect', '--env', 'OWN=given', '--', process.execPath, '-e', script];
    const { code, err } = await start(argv);
    expect(code).toBe(1);
    expect(err).toContain('own given');
  });

  test('follows a process until it exits, and then ends with 1', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [process.argv[1]], { stdio: ['pipe', 'pipe', 'inherit'] });
      process.stdin.pipe(child.stdin);
      child.stdout.on('data', (chunk) => {
        process.stdout.write(chunk, () => chunk.includes('acknowledged') && process.exit(3));
      });
      process.on('exit', () => child.kill());
    `;
    const argv = ['inspect', '--follow', '--', process.execPath, '-e', script, server.path];
    const { code, err } = await start(argv);
    expect(code).toBe(1);
    expect(err).toContain('following tools, prompts, resources\n');
  });

  test('prints its usage for no command or an unknown one', async () => {
    const [bare, other, helped] = await Promise.all([
      start([]),
      start(['other']),
      start(['inspect', '--help']),
    ]);
    expect([bare.code, other.code, helped.code]).toEqual([0, 2, 0]);
    expect(other.err).toBe('protocol: the one command is inspect; run inspect --help\n');
    expect(helped.out).toContain('npx -y @rootbound/protocol inspect [options] -- <command> [arguments]');
  });

  test('a command that cannot be started is one line and exit status 1', async () => {
    const { code, err } = await start(['inspect', '--', 'no-such-program-anywhere']);
    expect([code, err]).toEqual([
      1,
      'inspect: cannot start no-such-program-anywhere: no such program, or no such working directory\n',
    ]);
  });
});
