import { projectTool } from '../protocol/project.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Tool } from './define.ts';

/** The groups of revisions whose `tools/list` entries can differ. */
export type ListVariant = 'plain' | 'annotated' | 'structured' | 'full';

/** What the first answers need to know of a tool, without its code. */
export interface ToolEntry {
  readonly name: string;
  readonly annotations: t.ToolAnnotations;
  /** the JSON text of its definition by variant; a missing one equals the next older */
  readonly text: { readonly plain: string } & { readonly [V in ListVariant]?: string };
}

/** A set of tools whose list is known before any tool is loaded. */
export interface ToolCatalog<S = unknown> {
  entries(): readonly ToolEntry[] | Promise<readonly ToolEntry[]>;
  load(name: string): Tool<S> | Promise<Tool<S>>;
}

const variants: readonly ListVariant[] = ['plain', 'annotated', 'structured', 'full'];
const variantRevision: Record<ListVariant, Revision> = {
  plain: '2024-11-05',
  annotated: '2025-03-26',
  structured: '2025-06-18',
  full: '2025-11-25',
};

export function variantOf(revision: Revision): ListVariant {
  const { annotations, structured, icons } = revisions[revision];
  if (icons) return 'full';
  if (structured) return 'structured';
  return annotations ? 'annotated' : 'plain';
}

/** The JSON text of a tool's definition for a revision. */
export function entryText(entry: ToolEntry, revision: Revision): string {
  for (let at = variants.indexOf(variantOf(revision)); at > 0; at--) {
    const text = entry.text[variants[at]!];
    if (text !== undefined) return text;
  }
  return entry.text.plain;
}

/** The catalog of tools given as values; their schemas are converted at the first list. */
export function catalogOf<S>(tools: readonly Tool<S>[]): ToolCatalog<S> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new TypeError('two tools have the same name');
  let entries: Promise<readonly ToolEntry[]> | undefined;
  return {
    entries() {
      entries ??= describeTools(tools);
      return entries;
    },
    load(name) {
      const tool = byName.get(name);
      if (tool === undefined) throw new TypeError(`no tool ${name}`);
      return tool;
    },
  };
}

/** What `tools/list` says of each tool, as text by variant. */
export async function describeTools(tools: readonly Tool<never>[]): Promise<readonly ToolEntry[]> {
  const { argumentSchema, jsonSchema } = await import('./schema.ts');
  return tools.map((tool): ToolEntry => {
    const { name, title, description, annotations, icons, _meta } = tool;
    const definition: t.Tool = {
      name,
      description,
      inputSchema: argumentSchema(tool.input),
      ...(title !== undefined && { title }),
      ...(tool.output !== undefined && { outputSchema: jsonSchema(tool.output, 'output') }),
      ...(annotations !== undefined && { annotations }),
      ...(icons !== undefined && { icons }),
      ...(_meta !== undefined && { _meta }),
    };
    const text: Partial<Record<ListVariant, string>> = {};
    let previous: string | undefined;
    for (const variant of variants) {
      const current = JSON.stringify(projectTool(variantRevision[variant], definition));
      if (current !== previous) text[variant] = current;
      previous = current;
    }
    // holds: the first variant always differs from nothing
    return { name, annotations: annotations ?? {}, text: text as ToolEntry['text'] };
  });
}
