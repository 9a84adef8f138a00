import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';
import {
  type ContentQuery,
  createSearch,
  type NameQuery,
  type Search,
  type SearchOptions,
  type SearchRoot,
} from '../../src/search/index.ts';

const source = (file: string) => fileURLToPath(new URL(`../../src/search/${file}`, import.meta.url));

/** Bundles the engine with `search-worker.js` beside it. */
export async function buildSearch(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'rootbound-search-'));
  const build = await rolldown({
    input: { 'search-worker': source('worker.ts'), index: source('index.ts') },
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'node', 'import'] },
  });
  await build.write({
    dir: directory,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await build.close();
  return directory;
}

/** Creates a scratch directory and a search engine for the tests of one file. */
export function searchTests() {
  let built = '';
  let scratch = '';
  let trees = 0;
  const handles: number[] = [];
  const searches: Search[] = [];
  beforeAll(async () => {
    built = await buildSearch();
    scratch = mkdtempSync(join(tmpdir(), 'rootbound-search-tree-'));
  });
  afterAll(async () => {
    await Promise.all(searches.map((search) => search.close()));
    for (const handle of handles) closeSync(handle);
    for (const directory of [built, scratch]) rmSync(directory, { recursive: true, force: true });
  });
  return {
    builtDirectory: () => built,
    start: (options: SearchOptions = {}): Search => {
      const search = createSearch({ workerFile: join(built, 'search-worker.js'), ...options });
      searches.push(search);
      return search;
    },
    /** Creates a directory with these files. */
    tree: (files: Record<string, string | Buffer> = {}): string => {
      const root = join(scratch, `tree-${++trees}`);
      mkdirSync(root);
      for (const [path, text] of Object.entries(files)) put(root, path, text);
      return root;
    },
    open: (path: string): SearchRoot => {
      const fd = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
      handles.push(fd);
      return { fd, path };
    },
  };
}

export function put(root: string, path: string, text: string | Buffer): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function names(root: SearchRoot, query: Partial<NameQuery> = {}): NameQuery {
  return { kind: 'names', root, include: [], exclude: [], limit: 10_000, ...query };
}

export function content(root: SearchRoot, pattern: string, query: Partial<ContentQuery> = {}): ContentQuery {
  return {
    kind: 'content',
    root,
    pattern,
    mode: 'literal',
    include: [],
    exclude: [],
    limit: 10_000,
    output: 'matches',
    ...query,
  };
}
