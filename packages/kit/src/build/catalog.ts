import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolCatalog } from '@rootbound/protocol';
import { type WrittenCatalog, writeCatalog } from '@rootbound/protocol/build';
import { type Plugin, rolldown } from 'rolldown';
import type { ServerBuild } from './options.ts';

/** the lists for older revisions are a module of their own, which few clients need */
const OLDER = 'older-lists';

/** Replaces the catalog module by one that has the list of tools and loads each at its first call. */
export async function catalogPlugin(build: Pick<ServerBuild, 'root' | 'catalog'>): Promise<Plugin> {
  const catalogFile = resolve(build.root, build.catalog);
  const written = await writtenCatalog(build, catalogFile);
  return {
    name: 'rootbound-catalog',
    resolveId: (specifier) => (specifier === OLDER ? OLDER : undefined),
    load(id) {
      if (id === catalogFile) return { code: written.catalog, moduleType: 'js' };
      return id === OLDER ? { code: written.older, moduleType: 'js' } : undefined;
    },
  };
}

async function writtenCatalog(
  build: Pick<ServerBuild, 'root'>,
  catalogFile: string,
): Promise<WrittenCatalog> {
  const files = await toolModules(catalogFile);
  // below the server, so that packages outside of the bundle are found from there
  const folder = await mkdtemp(join(build.root, '.catalog-'));
  try {
    const input: Record<string, string> = { catalog: catalogFile };
    for (const file of files) input[moduleName(file)] = file;
    const bundle = await rolldown({
      input,
      platform: 'node',
      external: ['zod'],
      resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    });
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
    await bundle.close();
    const modules: Record<string, Record<string, unknown>> = {};
    for (const file of files) {
      modules[specifierOf(catalogFile, file)] = await load(folder, moduleName(file));
    }
    const { catalog } = (await load(folder, 'catalog')) as { catalog: ToolCatalog<never> }; // the member that the option names
    return await writeCatalog(catalog, modules, OLDER);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the modules that the catalog imports by a relative path: those that export tools, sorted. */
async function toolModules(catalogFile: string): Promise<string[]> {
  const imports = (await readFile(catalogFile, 'utf8')).matchAll(/ from '(\.[^']*)';$/gm);
  return [...imports].map(([, specifier]) => resolve(dirname(catalogFile), specifier!)).sort(); // the group matched
}

function moduleName(file: string): string {
  return `tool-${basename(file, '.ts')}`;
}

function load(folder: string, name: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(join(folder, `${name}.mjs`)).href) as Promise<Record<string, unknown>>; // any module
}

function specifierOf(from: string, to: string): string {
  return `./${relative(dirname(from), to).split(sep).join('/')}`;
}
