import { expect, test } from 'vitest';
import { catalog } from '../src/catalog.ts';
import { spec, toolsets } from '../src/spec.ts';
import { allRevisions, Served } from './harness.ts';

/** The used part of a schema. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const served = new Served();
const names = Object.values(toolsets).flat() as string[];
/** Screenshots need a browser. */
const extra = { browser: process.execPath };
/** The tools that change something. */
const changing: readonly string[] = [...toolsets.download, ...toolsets.request];

test('the tools of the command line are those of the catalog, each in one set', async () => {
  expect(names).toEqual((await catalog.entries()).map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(spec.tools).toEqual(names);
});

test.each(allRevisions)('all tools are listed, in revision %s', async (revision) => {
  const tools = await (await served.client({ revision, tools: names, extra })).listTools();
  expect(tools.map(({ name }) => name)).toEqual(names);
});

test('every schema is an object, and says no formats of strings, for which some clients refuse a tool', async () => {
  const tools = await (await served.client({ tools: names, extra })).listTools();
  for (const { name, inputSchema, outputSchema } of tools) {
    expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object']);
    expect(JSON.stringify(inputSchema), name).not.toMatch(/"format":/);
  }
});

test('every tool lists the members of its result and of its failure', async () => {
  const tools = await (await served.client({ tools: names, extra })).listTools();
  for (const { name, outputSchema } of tools) {
    const { properties = {} } = outputSchema as Shape;
    const own = properties.failure ?? properties.items?.items?.properties?.failure;
    expect(Object.keys(own?.properties ?? {}), name).toEqual([
      'code',
      'retryable',
      'hint',
      'retry_after_ms',
      'status',
      'final_url',
      'redirects',
      'elapsed_ms',
    ]);
    expect(Object.keys(properties).filter((member) => member !== 'failure').length, name).toBeGreaterThan(2);
  }
});

test('exactly the tools that read say that they only read, and all that they reach the open world', async () => {
  const tools = await (await served.client({ tools: names, extra })).listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(reading.map(({ name }) => name)).toEqual(names.filter((name) => !changing.includes(name)));
  expect(tools.filter(({ annotations }) => annotations?.openWorldHint !== true)).toEqual([]);
});

test('a read-only server lists no tool that changes something', async () => {
  const tools = await (await served.client({ tools: names, readOnly: true, extra })).listTools();
  expect(tools.map(({ name }) => name)).toEqual(names.filter((name) => !changing.includes(name)));
});
