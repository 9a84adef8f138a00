import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const NEEDLE = 'needle';
const SQL = `CREATE TABLE t (v); INSERT INTO t VALUES ('${NEEDLE}')`;

/** A root with one allowed database, and denied names of each kind. */
function root() {
  const { folder, database, write } = scratch();
  const shop = database('shop.db', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name)');
  write('.env', `name\n${NEEDLE}\n`);
  write('.git/config', '[core]\n\tbare = false\n');
  write('keys/id_rsa', `name\n${NEEDLE}\n`);
  database('.git/hidden.db', SQL);
  database('credentials.json', SQL);
  database('build/secrets/own.db', SQL);
  symlinkSync('.env', join(folder, 'plain.csv'));
  symlinkSync('.git/hidden.db', join(folder, 'plain.db'));
  symlinkSync('.git', join(folder, 'plain'));
  return { folder, shop };
}

type Scene = ReturnType<typeof root>;
type Attempt = readonly [string, string, (scene: Scene) => Record<string, unknown>];

const attempts: readonly Attempt[] = [
  ['a table read', 'list_tables', () => ({ database: '.git/hidden.db' })],
  ['a query', 'read_query', () => ({ database: 'credentials.json', query: 'SELECT v FROM t' })],
  ['a query through a link', 'read_query', () => ({ database: 'plain.db', query: 'SELECT v FROM t' })],
  [
    'a query through a linked folder',
    'read_query',
    () => ({ database: 'plain/hidden.db', query: 'SELECT v FROM t' }),
  ],
  ['another spelling', 'read_query', () => ({ database: '.GIT/hidden.db', query: 'SELECT v FROM t' })],
  [
    'a chart',
    'draw_chart',
    () => ({ database: '.git/hidden.db', query: 'SELECT v, 1 AS n FROM t', kind: 'bar' }),
  ],
  [
    'an attached database',
    'read_query',
    ({ shop }) => ({ database: shop, query: 'SELECT v FROM a.t', attach: { a: '.git/hidden.db' } }),
  ],
  ['a write', 'write_query', () => ({ database: '.git/hidden.db', query: 'DELETE FROM t' })],
  ['a script', 'run_script', () => ({ database: '.git/hidden.db', script: 'DELETE FROM t;' })],
  [
    'an import of a secret',
    'import_data',
    ({ shop }) => ({ database: shop, path: '.env', table: 'got', format: 'csv', create: true }),
  ],
  [
    'an import of a key',
    'import_data',
    ({ shop }) => ({ database: shop, path: 'keys/id_rsa', table: 'got', format: 'csv', create: true }),
  ],
  [
    'an import through a link',
    'import_data',
    ({ shop }) => ({ database: shop, path: 'plain.csv', table: 'got', create: true }),
  ],
  [
    'an export over a setting',
    'export_data',
    ({ shop }) => ({ database: shop, path: '.git/config', table: 'item', format: 'csv', overwrite: true }),
  ],
  [
    'an export of a hook',
    'export_data',
    ({ shop }) => ({ database: shop, path: '.git/hooks/post-checkout', table: 'item', format: 'csv' }),
  ],
  [
    'an export of a new secret',
    'export_data',
    ({ shop }) => ({ database: shop, path: '.npmrc', table: 'item', format: 'csv' }),
  ],
  [
    'an export through a linked folder',
    'export_data',
    ({ shop }) => ({ database: shop, path: 'plain/x.csv', table: 'item' }),
  ],
  [
    'an export of what is denied',
    'export_data',
    () => ({ database: '.git/hidden.db', path: 'out.csv', table: 't' }),
  ],
  ['a backup to a denied name', 'backup_database', ({ shop }) => ({ database: shop, path: 'server.key' })],
  [
    'a backup into a denied folder',
    'backup_database',
    ({ shop }) => ({ database: shop, path: '.git/copy.db' }),
  ],
  ['a backup of what is denied', 'backup_database', () => ({ database: '.git/hidden.db', path: 'copy.db' })],
  [
    'a restore from what is denied',
    'restore_database',
    ({ shop }) => ({ database: shop, path: 'credentials.json' }),
  ],
  [
    'a restore of what is denied',
    'restore_database',
    ({ shop }) => ({ database: '.git/hidden.db', path: shop }),
  ],
];

/** Each file of a folder with its content, links with their targets. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

describe('by default', () => {
  test.each(attempts)('%s is refused, and is neither read nor written', async (_what, tool, args) => {
    const scene = root();
    const client = await served.client([scene.folder]);
    const before = contents(scene.folder);
    const { failed, code, result } = await call(client, tool, args(scene));
    expect([failed, code]).toEqual([true, expect.stringMatching(/^(?:not-found|permission)$/)]);
    expect(JSON.stringify(result)).not.toContain(NEEDLE);
    expect(contents(scene.folder)).toEqual(before);
  });

  test('a denied name gets the same failure whether it exists or not', async () => {
    const { folder, shop } = root();
    const client = await served.client([folder]);
    const messageFor = async (path: string) =>
      (
        await call(client, 'export_data', {
          database: shop,
          path,
          table: 'item',
          format: 'csv',
          overwrite: true,
        })
      ).text;
    expect(await messageFor('.env')).toBe((await messageFor('.envrc')).replace('.envrc', '.env'));
    expect(existsSync(join(folder, '.envrc'))).toBe(false);
  });

  test('denied databases are not listed, completed, used as default, or read as resources', async () => {
    const { folder } = root();
    const client = await served.client([folder]);
    const { text } = await call(client, 'list_databases');
    expect(text).toContain('shop.db');
    expect(text).not.toMatch(/hidden|credentials|\.git/);
    const resources = JSON.stringify(await client.listResources());
    expect(resources).toContain('shop.db');
    expect(resources).not.toMatch(/hidden|credentials/);
    const ref = { type: 'ref/prompt' as const, name: 'explore_database' };
    const { values } = await client.complete(ref, { name: 'database', value: '' });
    expect(values.join()).not.toMatch(/hidden|credentials/);
    const uri = /"uri":"([^"]*shop\.db)[^"]*"/.exec(resources)![1]!;
    await expect(client.readResource(uri)).resolves.toBeDefined();
    for (const denied of ['credentials.json', '.git/hidden.db'])
      await expect(client.readResource(uri.replace('shop.db', denied))).rejects.toThrow();
  });
});

test('a database that the command line names is served although its name is denied', async () => {
  const { folder } = root();
  const client = await served.client([join(folder, 'credentials.json')]);
  expect((await call(client, 'read_query', { query: 'SELECT v FROM t' })).text).toContain(NEEDLE);
});

test('--no-default-deny allows them, and --deny denies the given names', async () => {
  const { folder } = root();
  const extra = { 'no-default-deny': true, deny: ['build/secrets'] };
  const client = await served.client([folder], { extra });
  const codeOf = async (database: string) =>
    (await call(client, 'read_query', { database, query: 'SELECT v FROM t' })).code;
  expect([await codeOf('.git/hidden.db'), await codeOf('build/secrets/own.db')]).toEqual([
    undefined,
    'not-found',
  ]);
});

test('--deny adds to the default list, and ! removes from it', async () => {
  const { folder, shop } = root();
  const client = await served.client([folder], { extra: { deny: ['!credentials.json', '*.csv'] } });
  const read = await call(client, 'read_query', { database: 'credentials.json', query: 'SELECT v FROM t' });
  expect([read.failed, read.text]).toEqual([false, expect.stringContaining(NEEDLE)]);
  const write = await call(client, 'export_data', { database: shop, path: 'out.csv', table: 'item' });
  expect([write.code, existsSync(join(folder, 'out.csv'))]).toEqual(['permission', false]);
});

test('a link that leads to a denied database after the first call is not read', async () => {
  const { folder, shop } = root();
  mkdirSync(join(folder, 'open'));
  const client = await served.client([folder]);
  writeFileSync(join(folder, 'open/a.db'), readFileSync(shop));
  symlinkSync('open/a.db', join(folder, 'now.db'));
  expect((await call(client, 'list_tables', { database: 'now.db' })).failed).toBe(false);
  rmSync(join(folder, 'now.db'));
  symlinkSync('.git/hidden.db', join(folder, 'now.db'));
  expect((await call(client, 'list_tables', { database: 'now.db' })).code).toBe('not-found');
});
