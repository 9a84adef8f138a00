import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type OutputOptions, type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { catalogPlugin } from './catalog.ts';
import { noticesOf } from './notices.ts';
import type { ServerBuild } from './options.ts';

/**
 * Builds a server into `dist`: one CommonJS file per entry, chunks that are loaded when they are first needed, the
 * notices of everything inside, and a package.json that says how to read it.
 * @example await buildServer({ root: import.meta.dirname, entries: { cli: 'src/cli.ts' }, catalog: 'src/catalog.ts' })
 */
export async function buildServer(build: ServerBuild): Promise<void> {
  const dist = join(build.root, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const plugin = await catalogPlugin(build);
  const modules: string[] = [];
  // each entry is a bundle of its own: a chunk that two share would be one more file to open at the start
  for (const [name, path] of Object.entries(build.entries)) {
    modules.push(...(await bundleEntry(name, join(build.root, path), dist, build.external ?? [], plugin)));
  }
  modules.push(...(await copyAssets(build, dist)));
  const notices = await noticesOf(modules, build);
  await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), notices);
  await writeFile(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  await chmod(join(dist, 'cli.js'), 0o755);
}

/** Copies files and folders of packages and returns their sources. */
async function copyAssets({ root, assets = {} }: ServerBuild, dist: string): Promise<string[]> {
  const { resolve } = createRequire(join(root, 'package.json'));
  const found = Object.entries(assets).map(
    ([name, specifier]) => [name, locate(specifier, resolve)] as const,
  );
  await Promise.all(found.map(([name, path]) => cp(path, join(dist, name), { recursive: true })));
  return found.map(([, path]) => path);
}

/**
 * Returns the path of an asset. A folder ends with a slash; it is found from the manifest of its package, as folders
 * have no entries.
 */
function locate(specifier: string, resolve: (specifier: string) => string): string {
  if (!specifier.endsWith('/')) return resolve(specifier);
  const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)\/(.+)\/$/.exec(specifier) ?? [];
  if (name === undefined || rest === undefined) throw new TypeError(`${specifier} is no folder of a package`);
  return join(dirname(resolve(`${name}/package.json`)), rest);
}

/** Bundles one entry and returns the modules in it. */
async function bundleEntry(
  name: string,
  input: string,
  dir: string,
  external: readonly string[],
  plugin: Plugin,
): Promise<string[]> {
  const bundle = await rolldown({
    input: { [name]: input },
    platform: 'node',
    external: [...external],
    resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    plugins: [plugin, manifestPlugin],
  });
  const options = {
    dir,
    // a CommonJS entry starts about five milliseconds sooner than an ES module
    format: 'cjs',
    minify: true,
    sourcemap: false,
    entryFileNames: '[name].js',
    // beside the entries, so that a module finds its neighbours by the same path in a chunk and in an entry
    chunkFileNames: `${name}-[name]-[hash].js`,
    banner: (chunk) => (chunk.isEntry && name === 'cli' ? '#!/usr/bin/env node' : ''),
  } satisfies OutputOptions;
  const atStart = startModules(await bundle.generate(options));
  // each file that the start opens costs about as much as ten kilobytes of code, so all it needs is in one
  const codeSplitting = { groups: [{ name: 'start', test: (id: string) => atStart.has(id) }] };
  const { output } = await bundle.write({ ...options, codeSplitting });
  await bundle.close();
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
}

/** Returns the modules of the entry chunk and of the chunks that it imports statically. */
function startModules({ output }: RolldownOutput): Set<string> {
  const chunks = new Map(
    output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])),
  );
  const files = new Set([output[0].fileName]);
  for (const file of files) for (const imported of chunks.get(file)?.imports ?? []) files.add(imported);
  return new Set([...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []));
}

/** only the name and version of a package.json are for the users of a server */
const manifestPlugin: Plugin = {
  name: 'rootbound-manifest',
  async load(id) {
    if (basename(id) !== 'package.json') return undefined;
    const { name, version } = JSON.parse(await readFile(id, 'utf8')) as { name: string; version: string };
    return { code: JSON.stringify({ name, version }), moduleType: 'json' };
  },
};
