import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { catalogPlugin } from './catalog.ts';
import { noticesOf } from './notices.ts';

/** Where a server is and what is made of it. */
export interface ServerBuild {
  /** the folder of its package.json */
  root: string;
  /** entry modules by output name, relative to the root; `cli` becomes executable */
  entries: Readonly<Record<string, string>>;
  /** the module that exports `catalog`, relative to the root */
  catalog: string;
  /** the folder of the modules that each export tools, relative to the root */
  tools: string;
  /** packages that stay outside, such as native ones */
  external?: readonly string[];
}

/**
 * Builds a server into `dist`: one CommonJS file per entry, chunks that are loaded when they are first needed, the
 * notices of everything inside, and a package.json that says how to read it.
 * @example await buildServer({ root: import.meta.dirname, entries: { cli: 'src/cli.ts' }, catalog: 'src/catalog.ts', tools: 'src/tools' })
 */
export async function buildServer(build: ServerBuild): Promise<void> {
  const dist = join(build.root, 'dist');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const input = Object.fromEntries(Object.entries(build.entries).map(([name, path]) => [name, join(build.root, path)]));
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [...(build.external ?? [])],
    resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    plugins: [await catalogPlugin(build)],
  });
  const { output } = await bundle.write({
    dir: dist,
    // a CommonJS entry starts about five milliseconds sooner than an ES module
    format: 'cjs',
    minify: true,
    sourcemap: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: (chunk) => (chunk.isEntry && chunk.name === 'cli' ? '#!/usr/bin/env node' : ''),
  });
  await bundle.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), await noticesOf(chunks.flatMap((chunk) => chunk.moduleIds)));
  await writeFile(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  await chmod(join(dist, 'cli.js'), 0o755);
}
