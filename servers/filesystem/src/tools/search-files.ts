import { showName } from '@rootbound/kit/boundary';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { inDirectory, unreadableOf } from '../listing/find.ts';
import { excludesOf } from '../listing/globs.ts';
import { namesPage, type SayNames } from '../listing/names-page.ts';
import { counted, moreNote, openPosition, sealPosition } from '../listing/page.ts';
import { joinShown } from '../listing/paths.ts';
import { tool } from '../workspace.ts';

const NAME = 'search_files';
const DEFAULT_LIMIT = 500;

const output = z.object({
  matches: z.array(z.object({ path: z.string(), type: z.enum(['file', 'directory', 'symlink', 'other']) })),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const searchFiles = tool({
  name: NAME,
  title: 'Search files by name',
  description:
    'Finds files and directories below a directory by name. A plain word matches a part of a name in any case; ' +
    'a glob matches the path below the directory: *.ts only its own entries, **/*.ts at any depth.',
  input: z.strictObject({
    path: z.string(),
    pattern: z.string(),
    excludePatterns: z
      .array(z.string())
      .optional()
      .describe('names or globs, at any depth; default .git, node_modules'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ path, pattern, excludePatterns, limit = DEFAULT_LIMIT, cursor }, context) {
    const exclude = excludesOf(excludePatterns);
    const query = [path, pattern, exclude];
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isPath);
    const wanted = { include: [pattern], exclude, limit, after };
    const say: SayNames<SearchHalves> = (names, next, outcome) => {
      const nextCursor = next === undefined ? undefined : sealPosition(NAME, query, next);
      const matches = names.map((found) => ({ path: joinShown(path, found.path), type: found.type }));
      const none = nothing(pattern, outcome.counts.filesSeen);
      return toHalves(matches, nextCursor, unreadableOf(outcome), none);
    };
    return inDirectory(context.scope, path, async (folder) => {
      const { structured, text } = await namesPage(folder, wanted, context.scope.maxOutput, context, say);
      return reply({ structured, content: text });
    });
  },
});

type Output = z.input<typeof output>;

interface SearchHalves {
  structured: Output;
  text: string;
}

function toHalves(
  matches: Output['matches'],
  nextCursor: string | undefined,
  unreadable: string | undefined,
  none: string,
): SearchHalves {
  const structured = {
    matches,
    ...(unreadable !== undefined && { unreadable }),
    truncated: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
  };
  const lines = matches.map(({ path, type }) => `${showName(path)}${type === 'directory' ? '/' : ''}`);
  if (lines.length === 0) lines.push(none);
  if (unreadable !== undefined) lines.push(`[${unreadable}]`);
  if (nextCursor !== undefined) lines.push(moreNote(counted(matches.length, 'match', 'matches'), nextCursor));
  return { structured, text: lines.join('\n') };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string';
}

function nothing(pattern: string, seen: number): string {
  const shallow = pattern.includes('*') && !pattern.includes('/');
  const hint = shallow ? `; ${pattern} looks at the directory's own entries, **/${pattern} at any depth` : '';
  return `[no matches among ${seen} files${hint}]`;
}
