import { nearest } from './nearest.ts';
import type { ServerSpec } from './options.ts';
import { Problem, quote } from './problem.ts';
import type { Value } from './values.ts';

/**
 * Returns the tools that `--tools` and `--exclude-tools` leave, in the server's order; both take tools and sets of
 * them.
 */
export function selectTools(spec: ServerSpec, values: ReadonlyMap<string, Value>): readonly string[] {
  const wanted = toolNames(spec, values, 'tools') ?? spec.defaultTools ?? spec.tools;
  const unwanted = toolNames(spec, values, 'exclude-tools');
  if (wanted === spec.tools && unwanted === undefined) return spec.tools;
  const left = spec.tools.filter((name) => wanted.includes(name) && !unwanted?.includes(name));
  if (left.length > 0) return left;
  throw new Problem('--tools and --exclude-tools leave no tool; name one that is not excluded');
}

function toolNames(
  { tools, toolsets = {}, defaultTools = tools }: ServerSpec,
  values: ReadonlyMap<string, Value>,
  option: 'tools' | 'exclude-tools',
): readonly string[] | undefined {
  const names = values.get(option) as readonly string[] | undefined; // list rows have lists
  return names?.flatMap((name) => {
    if (Object.hasOwn(toolsets, name)) return toolsets[name]!;
    if (name === 'default') return defaultTools;
    if (name === 'all') return tools;
    if (tools.includes(name)) return [name];
    const sets = Object.keys(toolsets);
    const meant = nearest(name, [...sets, 'default', 'all', ...tools]);
    const hint = meant === undefined ? '' : `did you mean ${meant}? `;
    const known = sets.length === 0 ? '' : `the sets are ${sets.join(', ')}, default and all, `;
    throw new Problem(
      `unknown tool ${quote(name)} in --${option}; ${hint}${known}the tools are ${tools.join(', ')}`,
    );
  });
}
