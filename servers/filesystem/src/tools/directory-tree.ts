import { counted, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { type Gaps, gapLines, gapsOf, inDirectory } from '../listing/find.ts';
import { excludesOf } from '../listing/globs.ts';
import { namesPage, type RenderNames } from '../listing/names-page.ts';
import { isPositionJson, toPosition, toPositionJson } from '../listing/position.ts';
import type { FoundName } from '../search/outcome.ts';
import { tool } from '../workspace.ts';

const NAME = 'directory_tree';
const DEFAULT_DEPTH = 3;
const DEFAULT_LIMIT = 500;

const output = z.object({
  path: z.string(),
  entries: z.array(
    z.object({
      path: z.string().describe('relative to the directory'),
      type: z.enum(['file', 'directory', 'symlink', 'other']),
      entries: z.int().optional().describe('number of its entries, when not listed'),
    }),
  ),
  depth: z.int(),
  ignored: z.int().optional(),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const directoryTree = tool({
  name: NAME,
  title: 'Directory tree',
  description: 'Lists a directory as a tree. Does not follow symbolic links.',
  input: z.strictObject({
    path: z.string(),
    depth: z.int().min(0).max(32).optional().describe(`levels; 0: all; default ${DEFAULT_DEPTH}`),
    excludePatterns: z.array(z.string()).optional().describe('default .git, node_modules'),
    ignoreFiles: z.boolean().optional().describe('.gitignore and .ignore; default true'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const { path, depth = DEFAULT_DEPTH, ignoreFiles = true, limit = DEFAULT_LIMIT, cursor } = args;
    const exclude = excludesOf(args.excludePatterns);
    const query = [path, depth, exclude, ignoreFiles];
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isPositionJson);
    const wanted = {
      include: [],
      exclude,
      depth: depth === 0 ? undefined : depth,
      limit,
      sort: 'path' as const,
      after: after && toPosition(after),
    };
    const render: RenderNames<TreeHalves> = (names, next, outcome) => {
      const nextCursor = next && sealPosition(NAME, query, toPositionJson(next));
      return toHalves({ path, depth, entries: [...names] }, nextCursor, gapsOf(outcome));
    };
    return inDirectory(context.scope, path, ignoreFiles, async (place) => {
      const { structured, text } = await namesPage(place, wanted, context.scope.maxOutput, context, render);
      return reply({ structured, content: text });
    });
  },
});

type Output = z.input<typeof output>;

interface TreeHalves {
  structured: Output;
  text: string;
}

function toHalves(
  tree: Pick<Output, 'path' | 'depth' | 'entries'>,
  nextCursor: string | undefined,
  gaps: Gaps,
): TreeHalves {
  const { depth, entries } = tree;
  const structured = {
    ...tree,
    ...gaps,
    truncated: nextCursor !== undefined,
    ...defined({ nextCursor }),
  };
  const lines = treeLines(entries);
  if (lines.length === 0) lines.push('[no entries]');
  const below = entries.reduce((sum, entry) => sum + (entry.entries ?? 0), 0);
  if (below > 0) {
    lines.push(
      `[${counted(below, 'entry', 'entries')} below level ${depth} not listed; set depth to list more levels]`,
    );
  }
  lines.push(...gapLines(gaps));
  if (nextCursor !== undefined) lines.push(moreNote(counted(entries.length, 'entry', 'entries'), nextCursor));
  return { structured, text: lines.join('\n') };
}

const marks: Readonly<Record<FoundName['type'], string>> = {
  file: '',
  directory: '/',
  symlink: ' [link]',
  other: ' [other]',
};

/** An entry of a tree, and the number of its entries if they are not listed. */
interface TreeEntry extends Pick<FoundName, 'path' | 'type'> {
  entries?: number | undefined;
}

/** Renders entries in depth-first order as indented lines; a page that begins inside a directory names it first. */
function treeLines(entries: readonly TreeEntry[]): string[] {
  const lines = entries.map(({ path, type, entries: held }) => {
    const depth = path.split('/').length - 1;
    const cut = held === undefined || held === 0 ? '' : ` [${counted(held, 'entry', 'entries')}]`;
    return `${'  '.repeat(depth)}${path.slice(path.lastIndexOf('/') + 1)}${marks[type]}${cut}`;
  });
  const first = entries[0]?.path ?? '';
  const parent = first.slice(0, first.lastIndexOf('/') + 1);
  return parent === '' ? lines : [`[inside ${parent}]`, ...lines];
}
