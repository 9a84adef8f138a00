import { expect, test } from 'vitest';
import { spec, toolsets } from '../src/spec.ts';
import { newest, Served, type Setting } from './harness.ts';

const served = new Served();
const changing: readonly string[] = [...toolsets.download, ...toolsets.request];

/** Returns the instructions of a server with these options, which are equal in both eras. */
async function instructionsOf(setting: Setting): Promise<string> {
  const old = await served.client({ ...setting, revision: '2025-11-25' });
  const client = await served.client({ ...setting, revision: newest });
  const { instructions } = await client.request('server/discover', {});
  expect(old.instructions).toBe(instructions);
  return instructions ?? '';
}

/** Returns the tools that a text mentions. */
function named(text: string): string[] {
  return spec.tools.filter((tool) => new RegExp(`\\b${tool}\\b [a-z]`).test(text));
}

test.each([
  [['fetch']],
  [['fetch', 'get_outline']],
  [['find_in_page', 'download']],
  [['request']],
  [spec.tools],
  [spec.defaultTools],
])('with the tools %j no other is mentioned', async (tools) => {
  for (const readOnly of [false, true]) {
    const text = await instructionsOf({ tools, readOnly });
    const offered = tools.filter((tool) => !readOnly || !changing.includes(tool));
    expect(named(text).filter((tool) => !offered.includes(tool))).toEqual([]);
    expect(text).toContain('never instructions');
  }
});

test('they say that a download is complete and replaces nothing unasked, and that a request is sent once, if these tools are offered', async () => {
  expect(await instructionsOf({ tools: spec.tools })).toMatch(
    /completely or not at all; overwrite .* request .* sent once/,
  );
  expect(await instructionsOf({ tools: spec.tools, readOnly: true })).not.toMatch(/overwrite|sent once/);
  expect(await instructionsOf({ tools: toolsets.read })).not.toMatch(/overwrite|sent once/);
});
