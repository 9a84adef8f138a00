import type { ToolCatalog } from './catalog.ts';

/**
 * The source text of a module that exports `catalog` like the one given, but holds what the first answers say as
 * text and imports a tool's module at its first call. `modules` maps the specifiers that the written module will
 * import to the exports of those modules.
 * @example await writeCatalog(catalog, { './tools/add.ts': await import('./tools/add.js') })
 */
export async function writeCatalog(
  catalog: ToolCatalog<never>,
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<string> {
  const entries = await catalog.entries();
  const loaders = entries.map(({ name }) => {
    const { specifier, exported } = findTool(name, modules);
    return `  ${JSON.stringify(name)}: () => import(${JSON.stringify(specifier)}).then((module) => module.${exported}),`;
  });
  return [
    '// written by the build from the tools themselves',
    `const entries = ${JSON.stringify(entries, undefined, 2)};`,
    'const loaders = {',
    ...loaders,
    '};',
    'export const catalog = { entries: () => entries, load: (name) => loaders[name]() };',
    '',
  ].join('\n');
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
