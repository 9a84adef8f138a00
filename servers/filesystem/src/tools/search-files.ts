import { showName } from '@rootbound/kit/boundary';
import { counted, formatBytes, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { isoTime } from '../listing/facts.ts';
import { type Gaps, gapLines, gapsOf, inDirectory } from '../listing/find.ts';
import { excludesOf } from '../listing/globs.ts';
import { namesPage, type RenderNames } from '../listing/names-page.ts';
import { joinDisplayPath } from '../listing/paths.ts';
import { isPositionJson, toPosition, toPositionJson } from '../listing/position.ts';
import type { FoundName } from '../search/outcome.ts';
import { tool } from '../workspace.ts';

const NAME = 'search_files';
const DEFAULT_LIMIT = 500;

const output = z.object({
  matches: z.array(
    z.object({
      path: z.string(),
      type: z.enum(['file', 'directory', 'symlink', 'other']),
      size: z.int().optional(),
      modified: z.string().optional(),
    }),
  ),
  ignored: z.int().optional(),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const searchFiles = tool({
  name: NAME,
  title: 'Search files by name',
  description:
    'Finds files and directories by name. A plain word matches a part of a name, ignoring case; a glob matches the relative path: *.ts only direct entries, **/*.ts at any depth.',
  input: z.strictObject({
    path: z.string(),
    pattern: z.string(),
    excludePatterns: z.array(z.string()).optional().describe('default .git, node_modules'),
    ignoreFiles: z.boolean().optional().describe('.gitignore and .ignore; default true'),
    type: z.enum(['file', 'directory', 'symlink']).optional(),
    sort: z.enum(['path', 'modified', 'size']).optional().describe('default path'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const { path, pattern, type, ignoreFiles = true, sort = 'path', limit = DEFAULT_LIMIT, cursor } = args;
    const exclude = excludesOf(args.excludePatterns);
    const query = [path, pattern, exclude, ignoreFiles, type ?? null, sort];
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isPositionJson);
    const wanted = {
      include: [pattern],
      exclude,
      limit,
      sort,
      after: after && toPosition(after),
      ...(type !== undefined && { types: [type] }),
    };
    const render: RenderNames<SearchHalves> = (names, next, outcome) => {
      const nextCursor = next && sealPosition(NAME, query, toPositionJson(next));
      const matches = names.map((found) => matchOf(found, path));
      return toHalves(matches, nextCursor, gapsOf(outcome), noMatchesNote(pattern, outcome.counts.filesSeen));
    };
    return inDirectory(context.scope, path, ignoreFiles, async (place) => {
      const { structured, text } = await namesPage(place, wanted, context.scope.maxOutput, context, render);
      return reply({ structured, content: text });
    });
  },
});

type Output = z.input<typeof output>;
type Match = Output['matches'][number];

interface SearchHalves {
  structured: Output;
  text: string;
}

function matchOf({ path: below, type, size, modified: ms }: FoundName, path: string): Match {
  const modified = ms === undefined ? undefined : isoTime(ms);
  return {
    path: joinDisplayPath(path, below),
    type,
    ...defined({ size, modified }),
  };
}

function toHalves(
  matches: Match[],
  nextCursor: string | undefined,
  gaps: Gaps,
  noMatches: string,
): SearchHalves {
  const structured = {
    matches,
    ...gaps,
    truncated: nextCursor !== undefined,
    ...defined({ nextCursor }),
  };
  const lines = matches.map(lineOf);
  if (lines.length === 0) lines.push(noMatches);
  lines.push(...gapLines(gaps));
  if (nextCursor !== undefined) lines.push(moreNote(counted(matches.length, 'match', 'matches'), nextCursor));
  return { structured, text: lines.join('\n') };
}

function lineOf({ path, type, size, modified }: Match): string {
  const details = [size === undefined ? undefined : formatBytes(size), modified];
  const name = `${showName(path)}${type === 'directory' ? '/' : ''}`;
  return [name, ...details.filter((detail) => detail !== undefined)].join('  ');
}

function noMatchesNote(pattern: string, seen: number): string {
  const shallow = pattern.includes('*') && !pattern.includes('/');
  const hint = shallow ? `; ${pattern} matches only direct entries, **/${pattern} at any depth` : '';
  return `[no matches in ${counted(seen, 'file', 'files')}${hint}]`;
}
