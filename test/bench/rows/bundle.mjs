import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { programFolder } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';

const folder = join(programFolder, 'one-tool');
const catalogFile = join(folder, 'catalog.mjs');
const OLDER = 'older-lists';

/** @typedef {{ start: number, all: number }} Weight kilobytes, compressed */

/** @type {Record<string, () => Promise<Weight>>} */
const builds = {
  ours: async () => weigh('ours.mjs', [await writtenCatalog()]),
  'ours, no catalog': () => weigh('ours.mjs'),
  'sdk 1': () => weigh('sdk-1.mjs'),
  'sdk 2': () => weigh('sdk-2.mjs'),
};

/**
 * The size of a stdio server with one tool, bundled, minified and compressed, and of the chunks that it loads later. Ours
 * has the generated catalog; another column has the size without that step.
 * @type {import('../lib/group.mjs').Group}
 */
export const bundle = {
  workload: 'bundle',
  rows: {
    start: { row: 'one-tool stdio server, start, gzip', unit: 'KB', must: 40, aim: 20 },
    all: { row: 'one-tool stdio server, all chunks, gzip', unit: 'KB', must: 80, aim: 60 },
  },
  async run() {
    /** @type {Record<string, Weight>} */
    const weights = {};
    const start = await rounds(
      1,
      Object.fromEntries(
        Object.entries(builds).map(([name, build]) => [
          name,
          async () => {
            const weight = await build();
            weights[name] = weight;
            return weight.start;
          },
        ]),
      ),
    );
    const all = Object.fromEntries(Object.entries(weights).map(([name, of]) => [name, { values: [of.all] }]));
    return { start, all };
  },
};

/**
 * @param {string} file
 * @param {import('rolldown').Plugin[]} [plugins]
 * @returns {Promise<Weight>}
 */
async function weigh(file, plugins = []) {
  const build = await rolldown({ input: join(folder, file), platform: 'node', plugins });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
  const atStart = new Set([output[0].fileName]);
  for (const name of atStart) for (const imported of chunks.get(name)?.imports ?? []) atStart.add(imported);
  const weight = { start: 0, all: 0 };
  for (const [name, { code }] of chunks) {
    const kilobytes = gzipSync(code).length / 1000;
    weight.all += kilobytes;
    if (atStart.has(name)) weight.start += kilobytes;
  }
  return weight;
}

/** Replaces the catalog by the one that a build generates. */
async function writtenCatalog() {
  const { writeCatalog } = await import('@rootbound/protocol/build');
  const { catalog } = await import(pathToFileURL(catalogFile).href);
  const specifier = './add.mjs';
  const add = await import(pathToFileURL(createRequire(catalogFile).resolve(specifier)).href);
  const written = await writeCatalog(catalog, { [specifier]: add }, OLDER);
  return {
    name: 'written-catalog',
    /** @param {string} id */
    resolveId: (id) => (id === OLDER ? OLDER : undefined),
    /** @param {string} id */
    load(id) {
      if (id === catalogFile) return { code: written.catalog, moduleType: /** @type {const} */ ('js') };
      return id === OLDER ? { code: written.older, moduleType: /** @type {const} */ ('js') } : undefined;
    },
  };
}
