import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test, vi } from 'vitest';
import { call, newest, Served, type Setting } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database, write, open } = scratch();
const shop = database(
  'roots/shop.db',
  `CREATE TABLE sale (day TEXT, region TEXT, amount REAL);
   INSERT INTO sale VALUES ('2026-01-31', 'north', 10.5), ('2026-02-28', 'south', 20.25), ('2026-03-31', 'north', 1.0)`,
);
const roots = [join(folder, 'roots')];

const byRegion = {
  name: 'sales_by_region',
  title: 'Sales by region',
  description: 'What a region has sold since a day.',
  sql: ['SELECT sum(amount) AS total, count(*) AS n', 'FROM sale WHERE region = :region AND day >= :since'],
  parameters: {
    region: { enum: ['north', 'south'], description: 'which one' },
    since: { type: 'date', default: '2026-01-01' },
  },
};
const raise = {
  name: 'raise_prices',
  description: 'Raises what a region has sold.',
  write: true,
  sql: 'UPDATE sale SET amount = amount + :by WHERE region = :region',
  parameters: { by: { type: 'integer', minimum: 1, maximum: 100 }, region: {} },
};

let files = 0;

function queriesFile(...queries: object[]): string {
  return write(`queries-${files++}.json`, JSON.stringify({ queries }));
}

function clientOf(file: string, setting: Setting = {}): Promise<Client> {
  return served.client(roots, { ...setting, extra: { queries: file } });
}

async function toolOf(client: Client, name: string) {
  return (await client.listTools()).find((tool) => tool.name === name);
}

async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).map(({ name }) => name);
}

test('a canned query is a read-only tool with typed arguments', async () => {
  const client = await clientOf(queriesFile(byRegion));
  expect(await toolOf(client, 'sales_by_region')).toMatchObject({
    title: 'Sales by region',
    description: 'What a region has sold since a day.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      properties: {
        region: { enum: ['north', 'south'], description: 'which one' },
        since: { type: 'string', default: '2026-01-01' },
      },
      required: ['region'],
    },
  });
  const { facts, text } = await call(client, 'sales_by_region', { region: 'north' });
  expect(facts).toMatchObject({ columns: [{ name: 'total' }, { name: 'n' }], rows: [[11.5, 2]] });
  expect(text).toContain('11.5');
  const later = await call(client, 'sales_by_region', { region: 'north', since: '2026-02-01' });
  expect(later.facts).toMatchObject({ rows: [[1, 1]] });
});

test('arguments that the file does not allow are refused', async () => {
  const client = await clientOf(
    queriesFile(byRegion, { ...raise, write: false, sql: 'SELECT :by, :region' }),
  );
  const failures = [
    ['sales_by_region', {}],
    ['sales_by_region', { region: 'west' }],
    ['sales_by_region', { region: 'north', since: '2026-02-30' }],
    ['sales_by_region', { region: 'north', query: 'SELECT 1' }],
    ['raise_prices', { by: 0, region: 'north' }],
    ['raise_prices', { by: 1.5, region: 'north' }],
    ['raise_prices', { by: 1, region: 3 }],
  ] as const;
  for (const [name, args] of failures) {
    const refused = await call(client, name, args).then(
      ({ failed }) => failed,
      () => true,
    );
    expect([name, args, refused]).toEqual([name, args, true]);
  }
});

test('a canned query that writes has the annotations of one, changes rows, and is not listed by a read-only server', async () => {
  const file = queriesFile(raise);
  const client = await clientOf(file);
  expect((await toolOf(client, 'raise_prices'))?.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  });
  const { failed } = await call(client, 'raise_prices', { by: 5, region: 'south' });
  expect(failed).toBe(false);
  expect(open(shop).prepare("SELECT amount FROM sale WHERE region = 'south'").pluck().get()).toBe(25.25);
  expect(await namesOf(await clientOf(file, { readOnly: true }))).not.toContain('raise_prices');
});

test('a canned query that changes every row needs no confirmation', async () => {
  const path = database('every/every.db', 'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)');
  const sql = 'UPDATE t SET a = a + 1';
  const file = queriesFile({ name: 'step', description: 'One more of each.', write: true, sql });
  const client = await served.client([join(folder, 'every')], { extra: { queries: file } });
  expect((await call(client, 'step')).failed).toBe(false);
  expect(open(path).prepare('SELECT a FROM t ORDER BY a').pluck().all()).toEqual([2, 3]);
});

test('a canned query may name its database, which has to be within the roots', async () => {
  database('roots/other.db', 'CREATE TABLE t (a); INSERT INTO t VALUES (42)');
  database('outside.db', 'CREATE TABLE t (a); INSERT INTO t VALUES (43)');
  const answer = { name: 'answer', description: 'The answer.', sql: 'SELECT a FROM t' };
  const client = await clientOf(
    queriesFile(
      { ...answer, database: join(folder, 'roots/other.db') },
      { ...answer, name: 'outside', database: join(folder, 'outside.db') },
    ),
  );
  expect((await call(client, 'answer')).facts).toMatchObject({ rows: [[42]] });
  expect((await call(client, 'outside')).failed).toBe(true);
  rmSync(join(folder, 'roots/other.db'));
});

test('a canned query that its database cannot run is not offered, and the operator gets the reason', async () => {
  const client = await clientOf(
    queriesFile(byRegion, { ...byRegion, name: 'typo', sql: 'SELECT :region, :since, amuont FROM sale' }),
  );
  expect(await namesOf(client)).toContain('sales_by_region');
  expect(await namesOf(client)).not.toContain('typo');
  expect(served.faults).toEqual([
    expect.stringMatching(/queries-\d+\.json: typo\.sql: .*amuont.*; the tool is not offered$/),
  ]);
  served.faults.length = 0;
});

const wrong: [string, object | string, RegExp][] = [
  ['no JSON', '{"queries": [', /json: it must be JSON: /],
  ['no list', {}, /json: queries: invalid input/],
  [
    'an unknown member',
    { queries: [{ ...byRegion, sqll: '' }] },
    /sales_by_region: unrecognized key: "sqll"/,
  ],
  [
    'an unknown type',
    { queries: [{ ...byRegion, parameters: { region: { type: 'text' } } }] },
    /sales_by_region\.parameters\.region\.type: /,
  ],
  ['a bad name', { queries: [{ ...byRegion, name: 'a b' }] }, /a b\.name: must be 1 to 64 of/],
  [
    "the name of the server's own tool",
    { queries: [{ ...byRegion, name: 'draw_chart' }] },
    /draw_chart\.name: is the name of a tool of this server/,
  ],
  ['a name twice', { queries: [byRegion, byRegion] }, /sales_by_region\.name: is used twice/],
  [
    'a pragma',
    { queries: [{ ...byRegion, sql: 'PRAGMA journal_mode=OFF' }] },
    /sales_by_region\.sql: PRAGMA is refused/,
  ],
  [
    'a second statement',
    { queries: [{ ...byRegion, sql: 'SELECT 1; SELECT 2' }] },
    /sales_by_region\.sql: only one statement is allowed/,
  ],
  [
    'a write that is not said',
    { queries: [{ ...raise, write: false }] },
    /raise_prices\.sql: UPDATE changes the database: set "write": true/,
  ],
  [
    'an undeclared parameter',
    { queries: [{ ...raise, parameters: {} }] },
    /raise_prices\.parameters: by is missing/,
  ],
  [
    'an unused parameter',
    { queries: [{ ...byRegion, sql: 'SELECT :region' }] },
    /sales_by_region\.parameters\.since: is not used in the SQL/,
  ],
  [
    'a bare ?',
    { queries: [{ ...byRegion, sql: 'SELECT ?', parameters: {} }] },
    /sales_by_region\.sql: contains an unnamed \?/,
  ],
  [
    'a default that does not fit',
    { queries: [{ ...byRegion, parameters: { region: { enum: ['a'], default: 'b' }, since: {} } }] },
    /region\.default: "b" is not an allowed value/,
  ],
  [
    'a parameter called cursor',
    { queries: [{ ...byRegion, sql: 'SELECT :cursor', parameters: { cursor: {} } }] },
    /parameters\.cursor: is the name of an argument that every query has/,
  ],
];

test.each(wrong)(
  'a file with %s makes no tools, and one line names the place and the fix',
  async (_what, content, line) => {
    const file = write(
      `queries-${files++}.json`,
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    const client = await clientOf(file);
    expect(await namesOf(client)).not.toContain('sales_by_region');
    const reports = served.faults.map(String);
    served.faults.length = 0;
    expect(reports).toEqual([expect.stringMatching(line)]);
    expect(reports[0]).toMatch(/^[^\n]*; no tools were made$/);
  },
);

describe.each(['2025-11-25', newest] as const)('%s', (revision) => {
  test('an edit of the file replaces the tools and notifies clients; after an invalid edit the previous tools stay', async () => {
    const file = queriesFile(byRegion);
    const client = await clientOf(file, { revision });
    const changed = vi.fn();
    await client.onListChanged('tools', changed);
    expect(await namesOf(client)).toContain('sales_by_region');
    replace(file, JSON.stringify({ queries: [{ ...byRegion, name: 'regional' }] }));
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), 120_000);
    expect(await namesOf(client)).toContain('regional');
    expect(await namesOf(client)).not.toContain('sales_by_region');
    replace(file, '{ broken');
    await vi.waitFor(() => expect(served.faults).toHaveLength(1), 120_000);
    expect(String(served.faults[0])).toContain('the previous tools stay');
    served.faults.length = 0;
    const { facts } = await call(client, 'regional', { region: 'south', since: '2026-02-01' });
    expect(facts).toMatchObject({ columns: [{ name: 'total' }, { name: 'n' }] });
    expect(changed).toHaveBeenCalledTimes(1);
  });
});

test('a server declares tools/listChanged only if it has a file of queries', async () => {
  const revision = '2025-11-25';
  const { capabilities: without } = await served.client(roots, { revision });
  const { capabilities } = await clientOf(queriesFile(byRegion), { revision });
  expect([without?.tools, capabilities?.tools]).toEqual([{}, { listChanged: true }]);
});

test('a file of queries that is missing at the start is read when it is created', async () => {
  const file = join(folder, `queries-${files++}.json`);
  const client = await clientOf(file);
  const changed = vi.fn();
  await client.onListChanged('tools', changed);
  await vi.waitFor(() => expect(served.faults).toHaveLength(1), 120_000);
  served.faults.length = 0;
  replace(file, JSON.stringify({ queries: [byRegion] }));
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), 120_000);
  expect(await namesOf(client)).toContain('sales_by_region');
});

/** Replaces the file by a rename, as editors do. */
function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
