import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../harness.ts';
import { killWriterAfter } from '../killed-writer.ts';
import { scratch } from '../scratch.ts';
import { childrenOf, isAlive, isAsleep, isStopped, writerOf } from './processes.ts';
import { bundleServer, type Program, start } from './program.ts';

/** Databases of one server, as many as keep a lane for reading and one for writing. */
const DATABASES = 4;
/** Rows of a file of 50 MB, which is read in many pieces. */
const LINES = 50_000;

const made = scratch();
let program: Program;

beforeAll(async () => {
  program = await bundleServer();
});
afterAll(() => program.remove());

/** Starts a server on a new folder in a process of its own. */
async function serve(name: string): Promise<{ folder: string; client: Client; server: number }> {
  const folder = join(made.folder, name);
  const pidFile = join(made.folder, `${name}.pid`);
  mkdirSync(folder);
  const client = await start(program, folder, pidFile);
  onTestFinished(() => client.close());
  // a server that answers has written its process id
  await client.listTools();
  return { folder, client, server: Number(readFileSync(pidFile, 'utf8')) };
}

async function succeed(client: Client, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { failed, text, facts } = await call(client, name, args);
  expect([text, failed]).toEqual([text, false]);
  return facts;
}

const until = (condition: () => boolean): Promise<boolean> => vi.waitUntil(condition, 120_000);

// the state of processes is read from /proc
describe.runIf(existsSync('/proc/self/fdinfo'))('the lanes of a server that is killed', () => {
  test('leave no side files, in whatever order they end', async () => {
    const { folder, client, server } = await serve('beside');
    const names = Array.from({ length: DATABASES }, (_, at) => `${at}.db`);
    for (const name of names) {
      const database = made.database(`beside/${name}`, 'PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
      // a WAL exists before the server starts
      killWriterAfter(database, 'INSERT INTO t SELECT zeroblob(100000) FROM (VALUES (1), (2), (3))');
      await succeed(client, 'write_query', { query: 'INSERT INTO t VALUES (1)', database, undo: false });
      const rows = await succeed(client, 'read_query', { query: 'SELECT count(*) FROM t', database });
      expect(rows).toMatchObject({ rows: [[1]] });
    }
    const lanes = childrenOf(server);
    process.kill(server, 'SIGKILL');
    await until(() => !lanes.some(isAlive));
    expect(readdirSync(folder).sort()).toEqual(names);
  });

  test('end, also in the middle of a query', async () => {
    const { client, server } = await serve('query');
    const database = made.database('query/data.db', 'CREATE TABLE t (a)');
    await succeed(client, 'read_query', { query: 'SELECT * FROM t', database });
    const query =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, (SELECT 1)';
    const dead = client.callTool('read_query', { query, database, timeout_ms: 600_000 });
    dead.catch(() => {});
    await until(() => childrenOf(server).some((lane) => isAlive(lane) && !isAsleep(lane)));
    const lanes = childrenOf(server);
    process.kill(server, 'SIGKILL');
    await expect(dead).rejects.toThrow();
    await until(() => !lanes.some(isAlive));
  });

  test.each(['wal', 'delete'])(
    'leave no rows of an import whose file was not read to its end, with journal_mode %s',
    async (mode) => {
      const { client, server } = await serve(mode);
      const database = made.database(
        `${mode}/data.db`,
        `PRAGMA journal_mode = ${mode}; CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)`,
      );
      const lines = Array.from({ length: LINES }, (_, id) => `${id},${'x'.repeat(1000)}`);
      const path = made.write(`${mode}/large.csv`, `id,x\n${lines.join('\n')}\n`);
      await succeed(client, 'write_query', { query: 'DELETE FROM t WHERE id = 0', database });
      const lane = writerOf(server, database)!; // it has just written
      const heard: number[] = [];
      const dead = client.callTool(
        'import_data',
        { path, table: 't', database },
        {
          onProgress: ({ progress }) => {
            if (heard.push(progress) === 1) process.kill(server, 'SIGSTOP');
          },
        },
      );
      dead.catch(() => {});
      // it waits for the next piece, and finds the end of the pipe
      await until(() => isStopped(server) && isAsleep(lane));
      process.kill(server, 'SIGKILL');
      await expect(dead).rejects.toThrow();
      await until(() => !isAlive(lane));
      const db = made.open(database);
      expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    },
  );
});
