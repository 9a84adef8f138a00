import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';
import { subscribed } from './notifications.ts';

const { folder, database } = scratch();
const server = oneServer(folder);
const run = promisify(execFile);
const hasShell = spawnSync('sqlite3', ['--version']).status === 0;

const table = (name: string) => ({ kind: 'table', table: name }) as const;

describe.runIf(hasShell)('changes by the sqlite3 command line, which removes the WAL when it closes', () => {
  test.each(['wal', 'delete'])('are reported by table with journal_mode = %s', async (mode) => {
    const path = database(
      `${mode}.db`,
      `PRAGMA journal_mode = ${mode}; CREATE TABLE a (n); CREATE TABLE b (n); CREATE TABLE fence (n);
       INSERT INTO a VALUES (1); INSERT INTO b VALUES (1); INSERT INTO fence VALUES (1)`,
    );
    const targets = {
      a: table('a'),
      b: table('b'),
      schema: { kind: 'schema' },
      fence: table('fence'),
    } as const;
    const all = await subscribed(await server(), path, targets);
    const notifiedBy = (sql: string) =>
      all.notifiedBy(
        () => run('sqlite3', [path, sql]),
        'fence',
        () => run('sqlite3', [path, 'UPDATE fence SET n = n + 1']),
      );
    expect(await notifiedBy('INSERT INTO a VALUES (2)')).toEqual(['a']);
    expect(await notifiedBy('BEGIN; UPDATE b SET n = 2; INSERT INTO b VALUES (3); COMMIT')).toEqual(['b']);
    expect(await notifiedBy('SELECT * FROM a; PRAGMA integrity_check')).toEqual([]);
    expect(await notifiedBy('ALTER TABLE b ADD COLUMN more')).toEqual(['b', 'schema']);
  });
});
