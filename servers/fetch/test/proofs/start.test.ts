import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Client, childProcess, connect } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildFolder, bundleInto } from '../bundle.ts';
import { article, Site } from '../site.ts';

/** Writes to a file which modules a process loads. */
const hooks = `import { appendFileSync } from 'node:fs';
let file;
export const initialize = (path) => { file = path; };
export const load = (url, context, next) => { appendFileSync(file, url + '\\n'); return next(url, context); };`;
const libraries =
  /node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(undici|htmlparser2|linkedom|domutils|css-select|pdfjs-dist|playwright-core|papaparse|re2js|@mozilla\/readability|@exodus\/bytes)\//;

let folder: string;
let modulesOf: ReadonlyMap<string, readonly string[]>;
let site: Site;
let client: Client;

beforeAll(async () => {
  folder = buildFolder('start');
  modulesOf = await bundleInto(folder, { cli: 'src/cli.ts', reader: 'src/reading/worker.ts' }, 'es');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'hooks.mjs'), hooks);
  writeFileSync(
    join(folder, 'register.mjs'),
    `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url, { data: ${JSON.stringify(join(folder, 'loaded'))} });`,
  );
  site = await new Site().start();
  const args = [join(folder, 'cli.js'), '--allow-private', site.host, '--browser', process.execPath];
  client = await connect(
    childProcess({ command: process.execPath, args: ['--import', join(folder, 'register.mjs'), ...args] }),
    { name: 'test', version: '1.0.0' },
  );
});
afterAll(async () => {
  await client.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the libraries that the server's process has loaded so far. */
function loaded(): string[] {
  const file = join(folder, 'loaded');
  const files = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const modules = files.flatMap((url) => modulesOf.get(basename(url)) ?? [url]);
  expect(modules.some((path) => path.endsWith('src/cli.ts'))).toBe(true);
  return [...new Set(modules.flatMap((path) => libraries.exec(path)?.[1] ?? []))].sort();
}

test('no library for HTTP, HTML, PDF or browsers is loaded before its first use, and none for HTML by the server itself', async () => {
  await client.listTools();
  await client.listPrompts();
  await client.listResourceTemplates();
  expect(loaded()).toEqual([]);
  const { isError } = await client.callTool('fetch', { url: site.page('/kettles', article(1)) });
  expect(isError ?? false).toBe(false);
  // the worker has its own module loader, and loads the libraries there
  expect(loaded()).toEqual(['undici']);
});

test('the browser driver is loaded when a page is first rendered', async () => {
  const { structuredContent } = await client.callTool('fetch', { url: site.url('/kettles'), render: true });
  // the program that is named here does not exist
  expect(structuredContent).toMatchObject({ failure: { code: 'browser-failed' } });
  expect(loaded()).toEqual(['playwright-core', 'undici']);
});
