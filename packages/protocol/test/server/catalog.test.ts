import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCatalog } from '../../src/build.ts';
import { allRevisions, catalogOf, createServer, type Server, type ToolCatalog } from '../../src/index.ts';
import { talkTo, textOf } from './talk.ts';
import * as more from './tools/more.ts';
import * as sums from './tools/sums.ts';

const given = catalogOf([sums.add, more.wordy, more.former, sums.plain, more.default]);
const modules = { './sums.js': { ...sums }, './more.js': { ...more } };
let folder: string;
let written: ToolCatalog;

/** Returns the written catalog as a program would load it: bundled, with its tools in separate chunks. */
async function bundle(out: string): Promise<ToolCatalog> {
  const { catalog, older } = await writeCatalog(given, modules, './older.js');
  const sources: Record<string, string> = { './catalog.js': catalog, './older.js': older };
  const built = await rolldown({
    input: './catalog.js',
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
    logLevel: 'silent',
    plugins: [
      {
        name: 'written',
        resolveId: (id: string) =>
          id in sources
            ? id
            : id in modules
              ? new URL(`./tools/${id.slice(2, -3)}.ts`, import.meta.url).pathname
              : undefined,
        load: (id: string) => sources[id],
      },
    ],
  });
  await built.write({ dir: out, entryFileNames: 'catalog.mjs', chunkFileNames: '[name].mjs' });
  await built.close();
  const loaded: { catalog: ToolCatalog } = await import(pathToFileURL(join(out, 'catalog.mjs')).href);
  return loaded.catalog;
}

/** Returns the modules of tools that were loaded since the last call. */
function loadedModules(): string[] {
  const registry = globalThis as { loadedToolModules?: string[] };
  const seen = registry.loadedToolModules ?? [];
  registry.loadedToolModules = [];
  return seen;
}

const serverOf = (tools: ToolCatalog, pageSize = 2): Server =>
  createServer({ name: 'catalog', version: '1.0.0', tools, pageSize });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-catalog-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  written = await bundle(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('listing loads no tool, and a call only its own module', async () => {
  const talk = await talkTo(serverOf(written, 10), '2025-11-25');
  loadedModules();
  expect((await talk.request('tools/list')).result.tools.length).toBe(4);
  expect(loadedModules()).toEqual([]);
  expect(textOf(await talk.call('add', { a: 1, b: 2 }))).toBe('{"sum":3}');
  expect(loadedModules()).toEqual(['sums']);
  expect(textOf(await talk.call('plain'))).toBe('plain');
  expect(textOf(await talk.call('wordy', { words: [] }))).toBe('0');
  expect(loadedModules()).toEqual(['more']);
});

test('a written catalog returns the same bytes as the tools themselves, in every revision', async () => {
  for (const revision of allRevisions) {
    const talks = [
      await talkTo(serverOf(given), revision),
      await talkTo(serverOf(written), revision),
    ] as const;
    for (const talk of talks) {
      const { result } = await talk.request('tools/list');
      await talk.request('tools/list', { cursor: result.nextCursor });
      await talk.call('add', { a: 1, b: 2 });
      await talk.call('wordy', { words: ['a'] });
      await talk.call('former', { words: ['a'] });
      await talk.call('more-default');
      await talk.call('add', { a: 'x' });
      await talk.call('unknown');
    }
    expect(talks[1].wire.lines).toEqual(talks[0].wire.lines);
    expect(talks[0].wire.lines.length).toBeGreaterThanOrEqual(7);
  }
});

test('a written catalog loads a tool that is not listed and has no definition of it', async () => {
  const { catalog, older } = await writeCatalog(given, modules, './older.js');
  expect(catalog + older).not.toContain('Kept for old callers.');
  const talk = await talkTo(serverOf(written, 10), '2025-11-25');
  const names = (await talk.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['add', 'wordy', 'plain', 'more-default']);
  expect(textOf(await talk.call('former', { words: ['a', 'b'] }))).toBe('2');
});

test('a catalog without differences in older revisions has one text per tool', async () => {
  const one = catalogOf([sums.plain]);
  const { catalog, older } = await writeCatalog(one, { './sums.js': { ...sums } }, './older.js');
  expect(older).toBe('');
  expect(catalog).toContain('const different = [];');
});

test('a tool that no module exports is refused with its name', async () => {
  await expect(writeCatalog(given, { './more.js': { ...more } }, './older.js')).rejects.toThrow(
    'no module exports the tool add',
  );
});

test('a tool under an export that is not an identifier is found', async () => {
  const { catalog } = await writeCatalog(
    catalogOf([sums.plain]),
    { './sums.js': { 'a-b': sums.plain } },
    './older.js',
  );
  expect(catalog).toContain('module["a-b"]');
});
