import { expect, test } from 'vitest';
import { toolsets } from '../../src/spec.ts';
import { allRevisions, call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database } = scratch();
database('shop.db', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)');
const names = [...toolsets.read, ...toolsets.write];

test.each(allRevisions)('all tools are listed, in revision %s', async (revision) => {
  const tools = await (await served.client([folder], { revision })).listTools();
  expect(tools.map(({ name }) => name)).toEqual(names);
});

test('no schema has string formats, for which some clients refuse a tool', async () => {
  const tools = await (await served.client([folder])).listTools();
  const saying = tools.filter(({ inputSchema }) => /"format":"/.test(JSON.stringify(inputSchema)));
  expect(saying.map(({ name }) => name)).toEqual([]);
});

test('exactly the tools that read have readOnlyHint, and each tool has an output schema', async () => {
  const tools = await (await served.client([folder])).listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(reading.map(({ name }) => name)).toEqual([...toolsets.read]);
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
});

test('a read-only server neither lists nor runs tools that change databases', async () => {
  const client = await served.client([folder], { readOnly: true });
  const listed = (await client.listTools()).map(({ name }) => name);
  expect(listed.filter((name) => name === 'write_query' || name === 'run_script')).toEqual([]);
  const outcome = await call(client, 'write_query', { query: 'INSERT INTO item VALUES (1, 2)' }).then(
    ({ failed }): boolean => failed,
    () => true,
  );
  expect(outcome).toBe(true);
});
