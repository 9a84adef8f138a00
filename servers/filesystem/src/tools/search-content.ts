import { showName } from '@rootbound/kit/boundary';
import { counted, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { contentPage, type FoundInFile, openContentTarget } from '../listing/content-page.ts';
import { gapLines, gapsOf, withCallerPath } from '../listing/find.ts';
import { anyDepth, excludesOf } from '../listing/globs.ts';
import { matchLines } from '../listing/match-text.ts';
import { isPositionJson, toPosition, toPositionJson } from '../listing/position.ts';
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
            endLine: z.int().optional(),
            text: z.string(),
            clipped: z.boolean().optional(),
            before: z.array(z.string()).optional(),
            after: z.array(z.string()).optional(),
          }),
        )
        .optional(),
      more: z.boolean().optional().describe('further matches, beyond maxPerFile'),
      modified: z.string().optional(),
    }),
  ),
  searched: z.int().describe('files'),
  binary: z.int().optional().describe('files skipped'),
  large: z.int().optional().describe('files skipped'),
  ignored: z.int().optional(),
  unreadable: z.string().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const searchContent = tool({
  name: NAME,
  title: 'Search file contents',
  description: 'Finds lines that match a text or regex in a file or in all files below a directory.',
  input: z.strictObject({
    path: z.string(),
    pattern: z.string(),
    regex: z.boolean().optional().describe('RE2 syntax'),
    ignoreCase: z.boolean().optional(),
    wholeWord: z.boolean().optional(),
    multiline: z.boolean().optional().describe('matches may span lines'),
    include: z.array(z.string()).optional().describe('globs, such as *.ts or src/**'),
    excludePatterns: z.array(z.string()).optional().describe('default .git, node_modules'),
    ignoreFiles: z.boolean().optional().describe('.gitignore and .ignore; default true'),
    contextLines: z.int().min(0).max(20).optional(),
    output: z.enum(['matches', 'files', 'counts']).optional().describe('default matches'),
    maxPerFile: z.int().min(1).max(2000).optional(),
    sort: z.enum(['path', 'modified']).optional().describe('default path'),
    limit: z.int().min(1).max(2000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, context) {
    const {
      path,
      pattern,
      regex = false,
      ignoreCase = false,
      wholeWord = false,
      multiline = false,
      ignoreFiles = true,
      contextLines = 0,
      maxPerFile,
      sort = 'path',
      limit = DEFAULT_LIMIT,
    } = args;
    const kind = args.output ?? 'matches';
    const include = args.include?.map(anyDepth) ?? [];
    const exclude = excludesOf(args.excludePatterns);
    const flags = [regex, ignoreCase, wholeWord, multiline, ignoreFiles];
    const query = [path, pattern, flags, include, exclude, kind, maxPerFile ?? null, sort];
    const after =
      args.cursor === undefined ? undefined : openPosition(NAME, query, args.cursor, isPositionJson);
    const place = openContentTarget(context.scope, path, ignoreFiles);
    try {
      const { structured, text } = await contentPage(
        place,
        {
          pattern,
          mode: regex ? 'regex' : 'literal',
          ignoreCase,
          wholeWord,
          multiline,
          ...defined({ perFile: maxPerFile }),
          sort,
          hardLinks: context.scope.changes.hardLinks,
          contextLines: kind === 'matches' ? contextLines : 0,
          // include and exclude do not apply to a file that the caller named
          include: place.only === undefined ? include : [place.only.glob],
          exclude: place.only === undefined ? exclude : [],
          limit,
          output: kind,
        },
        after && toPosition(after),
        context.scope.maxOutput,
        context,
        (files, next, outcome) => {
          const nextCursor = next && sealPosition(NAME, query, toPositionJson(next));
          return toHalves(files, nextCursor, outcome, contextLines > 0);
        },
      );
      return reply({ structured, content: text });
    } catch (error) {
      throw withCallerPath(path, error);
    } finally {
      place.close();
    }
  },
});

function toHalves(
  files: FoundInFile[],
  nextCursor: string | undefined,
  outcome: ContentOutcome,
  spaced: boolean,
): { structured: z.input<typeof output>; text: string } {
  const { filesSearched, filesSkippedBinary, filesSkippedLarge } = outcome.counts;
  const gaps = gapsOf(outcome);
  const structured: z.input<typeof output> = {
    files,
    searched: filesSearched,
    ...(filesSkippedBinary > 0 && { binary: filesSkippedBinary }),
    ...(filesSkippedLarge > 0 && { large: filesSkippedLarge }),
    ...gaps,
    truncated: nextCursor !== undefined,
    ...defined({ nextCursor }),
  };
  const lines = files.flatMap((file, index) => [...(spaced && index > 0 ? ['--'] : []), ...fileLines(file)]);
  if (lines.length === 0) {
    const binary = counted(filesSkippedBinary, 'binary file', 'binary files');
    const skipped = filesSkippedBinary === 0 ? '' : `; ${binary} skipped`;
    lines.push(`[no matches in ${counted(filesSearched, 'file', 'files')}${skipped}]`);
  }
  if (filesSkippedLarge > 0)
    lines.push(`[${counted(filesSkippedLarge, 'file', 'files')} over 1 MiB skipped]`);
  lines.push(...gapLines(gaps));
  if (nextCursor !== undefined) lines.push(moreNote('more matches exist', nextCursor));
  return { structured, text: lines.join('\n') };
}

function fileLines({ path: raw, count, matches, more }: FoundInFile): string[] {
  const path = showName(raw);
  if (matches === undefined) return [count === undefined ? path : `${path}: ${count}`];
  const lines = matchLines(path, matches);
  return more === true ? [...lines, `[more matches in ${path}; raise maxPerFile to list them]`] : lines;
}
