import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database, write } = scratch();
const usual = oneServer(folder);
const outside = scratch();
const numbers =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT i, printf('%0100d', i) AS t FROM n";
const shop = database(
  'shop.db',
  "CREATE TABLE item (id INTEGER PRIMARY KEY, name); INSERT INTO item VALUES (1, 'a'), (2, 'b')",
);
const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

test('an export is not written outside the roots, over existing files, or to names of side files', async () => {
  const client = await usual();
  const there = write('there.csv', 'old');
  symlinkSync(outside.folder, join(folder, 'link'));
  mkdirSync(join(folder, 'folder.csv'));
  const before = names();
  const codes: unknown[] = [];
  for (const [path, more] of [
    [join(outside.folder, 'x.csv'), {}],
    ['../x.csv', {}],
    [join(folder, 'link/x.csv'), {}],
    [there, {}],
    [join(folder, 'folder.csv'), { overwrite: true }],
    [shop, { overwrite: true, format: 'csv' }],
    [`${shop}-journal`, { format: 'csv' }],
    [`${shop}-WAL`, { format: 'csv' }],
  ] as const) {
    const { code } = await call(client, 'export_data', { path, table: 'item', database: shop, ...more });
    codes.push(code);
  }
  expect(codes).toEqual([
    'not-found',
    'not-found',
    'not-found',
    'exists',
    'not-a-file',
    'refused',
    'refused',
    'refused',
  ]);
  expect([names(), readFileSync(there, 'utf8'), readdirSync(outside.folder)]).toEqual([before, 'old', []]);
  const { facts } = await call(client, 'export_data', {
    path: there,
    table: 'item',
    database: shop,
    overwrite: true,
  });
  expect([facts, readFileSync(there, 'utf8')]).toEqual([
    expect.objectContaining({ rows: 2 }),
    'id,name\r\n1,a\r\n2,b\r\n',
  ]);
});

test('an export to a read-only root, or of a statement that writes, is refused', async () => {
  const reader = await served.client([{ path: folder, readOnly: true }]);
  const args = { path: join(folder, 'no.csv'), database: shop };
  expect((await call(reader, 'export_data', { ...args, table: 'item' })).code).toBe('read-only');
  const client = await usual();
  for (const query of [
    'DELETE FROM item',
    'PRAGMA foreign_keys = OFF',
    "ATTACH 'x.db' AS x",
    'SELECT 1; SELECT 2',
    'SELECT load_extension(1)',
  ]) {
    const { failed } = await call(client, 'export_data', { ...args, query });
    expect([query, failed, existsSync(args.path)]).toEqual([query, true, false]);
  }
});

test('contradicting arguments are refused by name', async () => {
  const client = await usual();
  for (const [args, code] of [
    [{ path: join(folder, 'x.bin'), table: 'item' }, 'invalid-arguments'],
    [{ path: join(folder, 'x.csv') }, 'invalid-arguments'],
    [{ path: join(folder, 'x.sql'), query: 'SELECT 1' }, 'invalid-arguments'],
    [{ path: join(folder, 'x.csv'), query: 'SELECT 1', table: 'item' }, 'invalid-arguments'],
    [{ path: join(folder, 'x.csv'), table: 'nothing' }, 'no-such-table'],
    [{ path: join(folder, 'x.csv'), query: 'SELECT ?', params: [] }, 'parameters'],
  ] as const)
    expect([args, (await call(client, 'export_data', { database: shop, ...args })).code]).toEqual([
      args,
      code,
    ]);
});

test('a cancelled export leaves no file, and the next one runs', async () => {
  const client = await usual();
  const before = names();
  const cancel = new AbortController();
  const path = join(folder, 'cancelled.csv');
  const endless = numbers.replace(' LIMIT 100000', '');
  const cancelled = call(
    client,
    'export_data',
    { path, query: endless, database: shop },
    {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    },
  );
  await expect(cancelled).rejects.toThrow();
  const { facts } = await call(client, 'export_data', {
    path,
    query: 'SELECT ? AS x',
    params: [5],
    database: shop,
  });
  expect([facts.rows, readFileSync(path, 'utf8')]).toEqual([1, 'x\r\n5\r\n']);
  expect(names()).toEqual([...before, 'cancelled.csv'].sort());
});

test('100,000 rows are exported and imported with progress, in pieces with backpressure', async () => {
  const client = await usual();
  const path = join(folder, 'many.ndjson');
  const progressed: number[] = [];
  const { facts } = await call(
    client,
    'export_data',
    { path, query: numbers, database: shop },
    { onProgress: ({ progress }) => progressed.push(progress) },
  );
  expect(facts).toMatchObject({ rows: 100_000 });
  const read: (number | undefined)[] = [];
  const imported = await call(
    client,
    'import_data',
    { path, table: 'many', create: true, database: database('many.db') },
    { onProgress: ({ total }) => read.push(total) },
  );
  expect(imported.facts).toMatchObject({ inserted: 100_000, created: true });
  expect([progressed.length > 0, progressed, read.at(-1)]).toEqual([
    true,
    progressed.toSorted((a, b) => a - b),
    facts.bytes,
  ]);
});

test('a cancelled import changes nothing', async () => {
  const client = await usual();
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index + 10},${'x'.repeat(50)}`);
  writeFileSync(join(folder, 'large.csv'), `id,name\n${lines.join('\n')}\n`);
  const cancel = new AbortController();
  const args = { path: join(folder, 'large.csv'), table: 'item', database: shop };
  const cancelled = call(client, 'import_data', args, {
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await expect(cancelled).rejects.toThrow();
  const { db, check } = look();
  expect([db, check]).toEqual([2, 'ok']);
});

test.runIf(process.platform === 'linux')(
  'an import whose process is killed changes nothing, and the next one runs',
  async () => {
    const client = await usual();
    const args = { path: join(folder, 'large.csv'), table: 'item', database: shop };
    let killed = false;
    const onProgress = () => {
      if (!killed) for (const pid of children()) process.kill(pid, 'SIGKILL');
      killed = true;
    };
    const { failed } = await call(client, 'import_data', args, { onProgress });
    expect([killed, failed, look()]).toEqual([true, true, { db: 2, check: 'ok' }]);
    expect((await call(client, 'import_data', { ...args, dry_run: true })).facts).toMatchObject({
      inserted: 200_000,
    });
  },
);

/** Returns the child processes of this process. */
function children(): number[] {
  const { pid } = process;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

function look() {
  const db = scratchOpen(shop);
  return {
    db: db.prepare('SELECT count(*) FROM item').pluck().get(),
    check: db.pragma('integrity_check', { simple: true }),
  };
}
const scratchOpen = outside.open;

test('if all roots are files, the refusal says that a folder is needed', async () => {
  const client = await served.client([shop]);
  for (const [tool, args] of [
    ['export_data', { path: join(folder, 'alone.csv'), table: 'item' }],
    ['backup_database', { path: join(folder, 'alone.bak') }],
  ] as const) {
    const { code, text } = await call(client, tool, args);
    expect([code, text.includes('folder')]).toEqual(['refused', true]);
  }
});
