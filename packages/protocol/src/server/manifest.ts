import { type ListVariant, type ToolCatalog, variants } from './catalog.ts';

/**
 * The two modules of a written catalog.
 * @example
 * const written: WrittenCatalog = await writeCatalog(catalogOf([]), {}, './older.js');
 * written.catalog.includes('export const catalog'); // => true
 */
export interface WrittenCatalog {
  /** exports `catalog` */
  catalog: string;
  /** the lists of older revisions; `catalog` imports it by the given specifier */
  older: string;
}

/**
 * Returns the source text of a module that exports the same catalog, with the lists as text, and imports a
 * tool's module at its first call. `modules` maps the specifiers that the written module will import to the
 * exports of those modules.
 * @example
 * const add = tool({ name: 'add', description: 'Adds.', input: z.object({}), run: () => 'done' });
 * const { catalog } = await writeCatalog(catalogOf([add]), { './tools/add.ts': { add } }, './older.js');
 * catalog.includes('import("./tools/add.ts")'); // => true
 */
export async function writeCatalog(
  catalog: ToolCatalog<never>,
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  olderSpecifier: string,
): Promise<WrittenCatalog> {
  const entries = await catalog.entries();
  const newest = await catalog.texts('any');
  const loaders = entries.map(({ name }) => {
    const { specifier, exported } = findTool(name, modules);
    return `  ${JSON.stringify(name)}: () => import(${JSON.stringify(specifier)}).then((module) => module[${JSON.stringify(exported)}]),`;
  });
  const different: ListVariant[] = [];
  const older: string[] = [];
  for (const variant of variants) {
    const texts = JSON.stringify(await catalog.texts(variant));
    if (texts === JSON.stringify(newest)) continue;
    different.push(variant);
    older.push(`export const ${variant} = ${texts};\n`);
  }
  const source = [
    '// written by the build from the tools',
    `const entries = ${JSON.stringify(entries)};`,
    `const newest = ${JSON.stringify(newest)};`,
    `const different = ${JSON.stringify(different)};`,
    'const loaders = {',
    ...loaders,
    '};',
    'export const catalog = {',
    '  entries: () => entries,',
    '  texts: (variant) =>',
    `    different.includes(variant) ? import(${JSON.stringify(olderSpecifier)}).then((older) => older[variant]) : newest,`,
    '  load: (name) => loaders[name](),',
    '};',
    '',
  ];
  return { catalog: source.join('\n'), older: older.join('') };
}

function findTool(
  name: string,
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): { specifier: string; exported: string } {
  for (const [specifier, exports] of Object.entries(modules)) {
    for (const [exported, value] of Object.entries(exports)) {
      if (isToolNamed(value, name)) return { specifier, exported };
    }
  }
  throw new TypeError(`no module exports the tool ${name}`);
}

function isToolNamed(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && 'run' in value && 'name' in value && value.name === name
  );
}
