import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { full, sampled } from '../extent.ts';
import { Conversation } from './conversation.ts';

const root = join(import.meta.dirname, '..', '..');
const timeout = 240_000;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server with tools that use CPU, with a limit of half a second per turn. */
async function harness(): Promise<Conversation> {
  const made = new Conversation([join(import.meta.dirname, 'harness.mjs'), '500', '50']);
  closing.push(() => made.end());
  await made.initialize();
  return made;
}

const done = { result: { content: [{ type: 'text', text: 'done' }] } };
const line = (calls: string): string =>
  `harness: ended: one turn of the event loop spent more than 0.5 s of CPU; in progress: ${calls}\n`;

describe('a server whose event loop spends too much CPU in one turn', { timeout }, () => {
  test.each(sampled(['spin', 'microtasks'], 2))(
    'ends with a line that names the call, for %s',
    async (name) => {
      const server = await harness();
      void server.call(name, { ms: 600_000 });
      expect(await server.ending).toEqual({
        ...{ code: null, signal: 'SIGKILL' },
        stderr: line(`"tools/call ${name}"`),
      });
    },
  );

  test('names every call in progress, each on one line for any name', async () => {
    const server = await harness();
    const forged = 'forged\nharness: all is well \u202e\u2028';
    for (let at = 0; at < 2; at++) void server.call('waits', { ms: 0 });
    const unknown = server.call(forged, {});
    expect(await unknown).toMatchObject({ error: { code: -32602 } });
    void server.call('spin', { ms: 600_000 });
    expect((await server.ending).stderr).toBe(line('"tools/call waits" (2), "tools/call spin"'));
  });

  test('counts calls beyond the number of names that it stores', async () => {
    const server = await harness();
    const names = Array.from({ length: 400 }, (_, at) => `unknown-${at}\n`);
    await Promise.all(names.map((name) => server.call(name, {})));
    void server.call('spin', { ms: 600_000 });
    expect((await server.ending).stderr).toBe(line('"others"'));
  });
});

describe('a server is not ended', { timeout }, () => {
  const ways = [
    ['turns', 'by many short turns that spend more together'],
    ['children', 'by a child that spends more'],
    ...(process.platform === 'linux'
      ? [
          ['threads', 'by a thread that spends more while the event loop waits for it'],
          ['stopped', 'by being stopped for longer in one turn'],
        ]
      : []),
  ];
  test.each(sampled(ways, 2))('%s: %s', async (name) => {
    const server = await harness();
    // the first call has started the watchdog, the second is watched from its beginning
    await server.call('spin', { ms: 1 });
    expect(await server.call(name!, { ms: 800 })).toMatchObject(done); // each row has a name
    // the watchdog is active
    void server.call('spin', { ms: 600_000 });
    expect((await server.ending).signal).toBe('SIGKILL');
  });

  test('by calls that wait, and without calls no thread wakes up', async () => {
    const server = await harness();
    const before = Object.keys(server.wakeUps());
    await server.request('tools/list', {});
    await server.request('ping', {});
    expect(Object.keys(server.wakeUps())).toEqual(before);
    await server.call('spin', { ms: 1 });
    const [watching] = Object.keys(server.wakeUps()).filter((task) => !before.includes(task));
    expect(watching).toBeDefined();
    const pause = (): Promise<unknown> => promisify(execFile)('sleep', ['1']);
    const quiet = async (): Promise<boolean> => {
      const counted = server.wakeUps();
      await pause();
      return JSON.stringify(server.wakeUps()) === JSON.stringify(counted);
    };
    await vi.waitUntil(quiet, { timeout: 120_000 });
    const waiting = server.call('waits', { ms: 0 });
    const counted = server.wakeUps();
    await vi.waitUntil(() => server.wakeUps()[watching!]! > counted[watching!]! + 4, { timeout: 120_000 }); // found above
    expect(await Promise.race([waiting, quiet()])).toBe(false);
    expect(server.process.exitCode).toBeNull();
  });
});

// each spends these seconds
if (full)
  describe('each built server ends when its event loop spends five seconds of CPU in one turn', {
    timeout,
  }, () => {
    const servers = [
      ['filesystem', 'list_directory', { path: '.' }],
      ['git', 'git_status', {}],
      ['sqlite', 'list_databases', {}],
      ['fetch', 'fetch', { url: 'http://localhost:9/' }],
    ] as const;
    test.each(servers)('%s', async (name, tool, args) => {
      const folder = mkdtempSync(join(tmpdir(), 'rootbound-watchdog-'));
      closing.push(() => rmSync(folder, { recursive: true, force: true }));
      execFileSync('git', ['init', '-q', folder]);
      const options = `--require ${join(import.meta.dirname, 'plant.cjs')}`;
      const server = new Conversation([join(root, 'servers', name, 'dist', 'cli.js'), folder], {
        NODE_OPTIONS: options,
      });
      closing.push(() => server.end());
      await server.initialize({ roots: {} });
      // the call waits for the client's roots, which never arrive
      const asked = server.asked('roots/list');
      void server.call(tool, args);
      await asked;
      server.process.kill('SIGUSR2');
      const { signal, stderr } = await server.ending;
      expect([signal, stderr]).toEqual([
        'SIGKILL',
        `rootbound-${name}: ended: one turn of the event loop spent more than 5 s of CPU; in progress: "tools/call ${tool}"\n`,
      ]);
    });
  });
