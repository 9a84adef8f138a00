import { describeTools } from './catalog.ts';
import type { Tool } from './define.ts';

/**
 * The source text of a module whose default export is a ToolCatalog: what the first answers hold as text, and
 * a loader that imports a tool's module at its first call. `modules` maps each module specifier, as the written
 * module will import it, to the tools that it exports by name.
 * @example await writeFile('src/catalog.js', await writeCatalog({ './tools/add.ts': await import('./src/tools/add.ts') }))
 */
export async function writeCatalog(modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Promise<string> {
  const tools: Tool<never>[] = [];
  const loaders: string[] = [];
  for (const [specifier, exports] of Object.entries(modules)) {
    for (const [exported, value] of Object.entries(exports)) {
      if (!isTool(value)) continue;
      tools.push(value);
      const module = JSON.stringify(specifier);
      loaders.push(`  ${JSON.stringify(value.name)}: () => import(${module}).then((module) => module.${exported}),`);
    }
  }
  const entries = await describeTools(tools);
  return [
    '// written by the build from the tools themselves',
    `const entries = ${JSON.stringify(entries, undefined, 2)};`,
    'const loaders = {',
    ...loaders,
    '};',
    'export default { entries: () => entries, load: (name) => loaders[name]() };',
    '',
  ].join('\n');
}

function isTool(value: unknown): value is Tool<never> {
  return typeof value === 'object' && value !== null && 'input' in value && 'run' in value && 'name' in value;
}
