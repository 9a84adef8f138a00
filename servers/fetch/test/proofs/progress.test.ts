import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spec, toolsets } from '../../src/spec.ts';
import { Ground } from '../ground.ts';
import { allRevisions } from '../harness.ts';
import { article } from '../site.ts';

interface Heard {
  progress: number;
  total: number | undefined;
}

const ground = new Ground();
const { site } = ground;
const html = article(300);
/** The tools that need no browser. */
const tools = spec.tools.filter((name) => !(toolsets.browser as readonly string[]).includes(name));
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-test-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function argumentsOf(tool: string, url: string): Record<string, unknown> {
  if (tool === 'fetch_many') return { urls: [url, `${url}?again`] };
  if (tool === 'find_in_page') return { url, query: 'kettles' };
  return tool === 'request' ? { url, method: 'POST' } : { url };
}

test.each(allRevisions)('every tool reports its progress and the total, in revision %s', async (revision) => {
  const client = await ground.client({ revision, roots: [folder], tools: spec.tools });
  for (const tool of tools) {
    const path = `/${tool}-${revision}`;
    const headers = { 'content-length': String(Buffer.byteLength(html)) };
    const url = site.page(path, html, 'text/html', headers);
    site.page(`${path}?again`, html, 'text/html', headers);
    const heard: Heard[] = [];
    if (tool === 'compare_page') await client.callTool('fetch', { url });
    await client.callTool(tool, argumentsOf(tool, url), {
      onProgress: ({ progress, total }) => heard.push({ progress, total }),
    });
    const whole = tool === 'fetch_many' ? 2 : Buffer.byteLength(html);
    expect([tool, heard.at(-1)]).toEqual([tool, { progress: whole, total: whole }]);
    expect([tool, heard.map(({ progress }) => progress)]).toEqual([
      tool,
      [...new Set(heard.map(({ progress }) => progress))].sort((one, other) => one - other),
    ]);
  }
});

test('without a known length the total is left out', async () => {
  const client = await ground.client();
  const url = site.page('/packed', gzipSync(html), 'text/html', { 'content-encoding': 'gzip' });
  const heard: Heard[] = [];
  await client.callTool(
    'fetch',
    { url },
    { onProgress: ({ progress, total }) => heard.push({ progress, total }) },
  );
  expect(heard.length).toBeGreaterThan(0);
  expect(new Set(heard.map(({ total }) => total))).toEqual(new Set([undefined]));
});
