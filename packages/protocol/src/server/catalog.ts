import { projectTool } from '../protocol/project.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Tool } from './define.ts';
import type { CatalogOptions } from './definitions.ts';

/**
 * The groups of revisions whose `tools/list` entries may differ.
 * @example const newest: ListVariant = 'any';
 */
export type ListVariant = 'plain' | 'annotated' | 'structured' | 'full' | 'any';

/**
 * The part of a tool that is known without its code.
 * @example
 * const reads = ({ annotations }: ToolEntry): boolean => annotations.readOnlyHint === true;
 * createServer({ name: 'readers', version: '1.0.0', tools: [], offers: reads });
 */
export interface ToolEntry {
  readonly name: string;
  readonly annotations: t.ToolAnnotations;
  readonly taskSupport?: 'optional' | 'required';
  /** false if `tools/list` leaves it out */
  readonly listed?: boolean;
}

/**
 * The JSON text of the definition of each listed tool, by name.
 * @example const texts: ToolTexts = await catalogOf([]).texts('any');
 */
export type ToolTexts = Readonly<Record<string, string>>;

/**
 * A set of tools that can be listed before any tool is loaded.
 * @example
 * const catalog: ToolCatalog = catalogOf([]);
 * createServer({ name: 'nothing', version: '1.0.0', tools: catalog });
 */
export interface ToolCatalog<S = unknown> {
  /** all tools in list order, including those that are not listed */
  entries(): readonly ToolEntry[] | Promise<readonly ToolEntry[]>;
  texts(variant: ListVariant): ToolTexts | Promise<ToolTexts>;
  load(name: string): Tool<S> | Promise<Tool<S>>;
}

export const variants: readonly ListVariant[] = ['plain', 'annotated', 'structured', 'full', 'any'];
const variantRevision: Record<ListVariant, Revision> = {
  plain: '2024-11-05',
  annotated: '2025-03-26',
  structured: '2025-06-18',
  full: '2025-11-25',
  any: '2026-07-28',
};

export function variantOf(revision: Revision): ListVariant {
  const { era, annotations, structured, icons } = revisions[revision];
  if (era === 'stateless') return 'any';
  if (icons) return 'full';
  if (structured) return 'structured';
  return annotations ? 'annotated' : 'plain';
}

/**
 * Returns the catalog of tools that are given as values; their schemas are converted at the first
 * `tools/list`.
 * @example
 * const now = tool({ name: 'now', description: 'The time.', input: z.object({}), run: () => new Date().toISOString() });
 * const catalog = catalogOf([now]);
 * const entries = await catalog.entries();
 * entries.map(({ name }) => name); // => ['now']
 */
export function catalogOf<S>(tools: readonly Tool<S>[], options: CatalogOptions = {}): ToolCatalog<S> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const twice = tools.find((tool) => byName.get(tool.name) !== tool);
  if (twice !== undefined) throw new TypeError(`two tools have the name ${twice.name}`);
  const entries = tools.map(
    ({ name, annotations = {}, taskSupport, listed }): ToolEntry => ({
      name,
      annotations,
      ...(taskSupport !== undefined && { taskSupport }),
      ...(listed === false && { listed }),
    }),
  );
  let definitions: Promise<readonly t.Tool[]> | undefined;
  const written = new Map<ListVariant, ToolTexts>();
  return {
    entries: () => entries,
    texts(variant) {
      const known = written.get(variant);
      if (known !== undefined) return known;
      definitions ??= import('./definitions.ts').then(({ defineTools }) => defineTools(tools, options));
      return definitions.then((all) => {
        const texts = all.map((tool) => [
          tool.name,
          JSON.stringify(projectTool(variantRevision[variant], tool)),
        ]);
        written.set(variant, Object.fromEntries(texts) as ToolTexts); // the entries are pairs of strings
        return written.get(variant)!; // set above
      });
    },
    load(name) {
      const tool = byName.get(name);
      if (tool === undefined) throw new TypeError(`unknown tool ${name}`);
      return tool;
    },
  };
}
