import { showName } from '@rootbound/kit/boundary';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { contentPage, type FoundInFile, openPlace } from '../listing/content-page.ts';
import { unreadableOf } from '../listing/find.ts';
import { anyDepth, excludesOf } from '../listing/globs.ts';
import { matchLines } from '../listing/match-text.ts';
import { moreNote, openPosition, sealPosition } from '../listing/page.ts';
import type { ContentOutcome } from '../search/outcome.ts';
import { tool } from '../workspace.ts';

const NAME = 'search_content';
const DEFAULT_LIMIT = 100;

const output = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      count: z.int().optional(),
      matches: z
        .array(
          z.object({
            line: z.int(),
            text: z.string(),
            clipped: z.boolean().optional(),
            before: z.array(z.string()).optional(),
            after: z.array(z.string()).optional(),
          }),
        )
        .optional(),
    }),
  ),
  searched: z.int().describe('files'),
  binary: z.int().optional().describe('files skipped'),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const searchContent = tool({
  name: NAME,
  title: 'Search file contents',
  description: 'Finds lines that hold a text, or match a regex, in a file or in all files below a directory.',
  input: z.strictObject({
    path: z.string(),
    pattern: z.string(),
    regex: z.boolean().optional().describe('RE2 syntax'),
    ignoreCase: z.boolean().optional(),
    include: z.array(z.string()).optional().describe('globs, such as *.ts or src/**'),
    excludePatterns: z
      .array(z.string())
      .optional()
      .describe('names or globs, at any depth; default .git, node_modules'),
    contextLines: z.int().min(0).max(20).optional(),
    output: z.enum(['matches', 'files', 'counts']).optional().describe('default matches'),
    limit: z.int().min(1).max(2000).optional().describe(`of matches or files; default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run(args, context) {
    const {
      path,
      pattern,
      regex = false,
      ignoreCase = false,
      contextLines = 0,
      limit = DEFAULT_LIMIT,
    } = args;
    const kind = args.output ?? 'matches';
    const include = args.include?.map(anyDepth) ?? [];
    const exclude = excludesOf(args.excludePatterns);
    const query = [path, pattern, regex, ignoreCase, include, exclude, kind];
    const after = args.cursor === undefined ? undefined : openPosition(NAME, query, args.cursor, isPosition);
    const place = openPlace(context.scope, path);
    try {
      const { structured, text } = await contentPage(
        place,
        {
          pattern,
          mode: regex ? 'regex' : 'literal',
          ignoreCase,
          contextLines: kind === 'matches' ? contextLines : 0,
          // a file that is named is searched whatever its name
          include: place.only ?? include,
          exclude: place.only === undefined ? exclude : [],
          limit,
          output: kind,
        },
        after && toPosition(after),
        context.scope.maxOutput,
        context,
        (files, next, outcome) => {
          const nextCursor = next && sealPosition(NAME, query, [next.path, next.line ?? null]);
          return say(files, nextCursor, outcome, contextLines > 0);
        },
      );
      return reply({ structured, content: text });
    } finally {
      place.folder.close();
    }
  },
});

type Position = [path: string, line: number | null];

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') return false;
  return value[1] === null || Number.isSafeInteger(value[1]);
}

function toPosition([path, line]: Position): { path: string; line?: number } {
  return line === null ? { path } : { path, line };
}

function say(
  files: FoundInFile[],
  nextCursor: string | undefined,
  outcome: ContentOutcome,
  spaced: boolean,
): { structured: z.input<typeof output>; text: string } {
  const { filesSearched, filesSkippedBinary } = outcome.counts;
  const unreadable = unreadableOf(outcome);
  const structured: z.input<typeof output> = {
    files,
    searched: filesSearched,
    ...(filesSkippedBinary > 0 && { binary: filesSkippedBinary }),
    ...(unreadable !== undefined && { unreadable }),
    truncated: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
  };
  const lines = files.flatMap((file, index) => [...(spaced && index > 0 ? ['--'] : []), ...fileLines(file)]);
  if (lines.length === 0) lines.push(`[no matches in ${filesSearched} files]`);
  if (unreadable !== undefined) lines.push(`[${unreadable}]`);
  if (nextCursor !== undefined) lines.push(moreNote('there are more matches', nextCursor));
  return { structured, text: lines.join('\n') };
}

function fileLines({ path: raw, count, matches }: FoundInFile): string[] {
  const path = showName(raw);
  if (matches !== undefined) return matchLines(path, matches);
  return [count === undefined ? path : `${path}: ${count}`];
}
