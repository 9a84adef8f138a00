import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { inDirectory, unreadableOf } from '../listing/find.ts';
import { depthGlobs, excludesOf } from '../listing/globs.ts';
import { namesPage, type SayNames } from '../listing/names-page.ts';
import { counted, moreNote, openPosition, sealPosition } from '../listing/page.ts';
import { treeLines } from '../listing/tree-text.ts';
import { tool } from '../workspace.ts';

const NAME = 'directory_tree';
const DEFAULT_DEPTH = 3;
const DEFAULT_LIMIT = 500;

const output = z.object({
  path: z.string(),
  entries: z.array(
    z.object({
      path: z.string().describe('below the directory'),
      type: z.enum(['file', 'directory', 'symlink', 'other']),
    }),
  ),
  depth: z.int(),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const directoryTree = tool({
  name: NAME,
  title: 'Directory tree',
  description: 'Shows a directory and what is below it as a tree. Symbolic links are not followed.',
  input: z.strictObject({
    path: z.string(),
    depth: z.int().min(0).max(32).optional().describe(`levels; 0 is all; default ${DEFAULT_DEPTH}`),
    excludePatterns: z
      .array(z.string())
      .optional()
      .describe('names or globs, at any depth; default .git, node_modules'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ path, depth = DEFAULT_DEPTH, excludePatterns, limit = DEFAULT_LIMIT, cursor }, context) {
    const exclude = excludesOf(excludePatterns);
    const query = [path, depth, exclude];
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isPath);
    const wanted = { include: depthGlobs(depth), exclude, limit, after };
    const say: SayNames<TreeHalves> = (names, next, outcome) => {
      const nextCursor = next === undefined ? undefined : sealPosition(NAME, query, next);
      return toHalves({ path, depth, entries: [...names] }, nextCursor, unreadableOf(outcome));
    };
    return inDirectory(context.scope, path, async (folder) => {
      const { structured, text } = await namesPage(folder, wanted, context.scope.maxOutput, context, say);
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
  unreadable: string | undefined,
): TreeHalves {
  const { depth, entries } = tree;
  const structured = {
    ...tree,
    ...(unreadable !== undefined && { unreadable }),
    truncated: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
  };
  const lines = treeLines(entries);
  if (lines.length === 0) lines.push('[no entries]');
  if (unreadable !== undefined) lines.push(`[${unreadable}]`);
  if (nextCursor !== undefined) lines.push(moreNote(counted(entries.length, 'entry', 'entries'), nextCursor));
  else if (depth > 0 && entries.some((entry) => isAtDepth(entry, depth))) {
    lines.push(`[directories at level ${depth} are not opened; depth sets the levels]`);
  }
  return { structured, text: lines.join('\n') };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string';
}

function isAtDepth({ path, type }: { path: string; type: string }, depth: number): boolean {
  return type === 'directory' && path.split('/').length === depth;
}
