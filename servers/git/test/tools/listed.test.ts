import { expect, test } from 'vitest';
import { spec, toolsets } from '../../src/spec.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
/** A model pays for each of them in every session. */
const MOST_OF_ALL = 11_264;
const MOST_OF_ONE = 1_000;
/** Those with so many arguments that their names and types alone take most of that. */
const manyArguments = new Map([
  ['git_log', 1_300],
  ['git_search', 1_200],
]);

test('the reading tools are listed in few bytes, and each of them in its share', async () => {
  const client = await served.client([scratch().folder], { tools: toolsets.read });
  const tools = await client.listTools();
  const sizes = new Map(tools.map((tool) => [tool.name, Buffer.byteLength(JSON.stringify(tool))]));
  expect([...sizes.keys()]).toEqual([...toolsets.read]);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(MOST_OF_ALL);
  for (const [name, size] of sizes)
    expect(size, name).toBeLessThanOrEqual(manyArguments.get(name) ?? MOST_OF_ONE);
});

test('the tools for other repositories are listed each in its share', async () => {
  const client = await served.client([scratch().folder], { tools: toolsets.remote });
  for (const tool of await client.listTools())
    expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThanOrEqual(MOST_OF_ONE);
});

test('the tools of a server without --tools are listed in less than 20 KB, with those of the official server', async () => {
  const client = await served.client([scratch().folder], { tools: spec.defaultTools });
  const tools = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...toolsets.read, ...toolsets.write]);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(20_000);
});

test('no schema says formats of strings, for which some clients refuse a tool', async () => {
  const client = await served.client([scratch().folder], { tools: spec.tools });
  const schemas = (await client.listTools()).map(({ name, inputSchema }) => [
    name,
    JSON.stringify(inputSchema),
  ]);
  expect(schemas.length).toBeGreaterThan(toolsets.read.length);
  expect(schemas.filter(([, schema]) => schema!.includes('"format":'))).toEqual([]);
});
