import { expect, test } from 'vitest';
import { spec, toolsets } from '../../src/spec.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
test('the reading tools are listed in the order of their set', async () => {
  const client = await served.client([scratch().folder], { tools: toolsets.read });
  expect((await client.listTools()).map(({ name }) => name)).toEqual([...toolsets.read]);
});

test('the tools of a server without --tools are those that read, write, pull and push', async () => {
  const client = await served.client([scratch().folder], { tools: spec.defaultTools });
  const tools = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...toolsets.read, ...toolsets.write, ...toolsets.share]);
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
