import { counted, fit, type Json, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { isIndex, pathsArgument, repoPath } from '../../call/arguments.ts';
import { tellOf } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import type { GrepQuery } from '../../porcelain/grep-query.ts';
import { type Snapshot, snapshotOf } from './revision-tree.ts';
import { type Bounds, gatherFiles, gatherLines, positionOf } from './search.ts';
import { insideOf } from './search-links.ts';
import type { SearchPosition } from './search-matches.ts';
import { searchedOf } from './search-paths.ts';
import { type FoundInFile, foundLines, grouped, named } from './search-text.ts';

const NAME = 'git_search';
const DEFAULT_LIMIT = 100;

const input = z.strictObject({
  repo_path: repoPath,
  pattern: z.string(),
  syntax: z.enum(['fixed', 'basic', 'extended']).optional().describe('default fixed'),
  ignore_case: z.boolean().optional(),
  whole_word: z.boolean().optional(),
  revision: z.string().optional(),
  staged: z.boolean().optional(),
  untracked: z.boolean().optional(),
  paths: pathsArgument,
  include: z.array(z.string()).optional().describe('globs: *.ts, src/**, !*.min.js'),
  context_lines: z.int().min(0).max(20).optional(),
  output: z.enum(['matches', 'files', 'counts']).optional().describe('default matches'),
  max_per_file: z.int().min(1).max(2000).optional(),
  limit: z.int().min(1).max(2000).optional().describe(`default ${DEFAULT_LIMIT}`),
  cursor: z.string().optional(),
});

const output = z.object({
  commit: z.string().optional(),
  files: z.array(
    z.object({
      path: z.string(),
      count: z.int().optional(),
      matches: z
        .array(
          z.object({
            line: z.int(),
            column: z.int().describe('in bytes, from 1'),
            text: z.string(),
            clipped: z.boolean().optional(),
            lossy: z.boolean().optional(),
            before: z.array(z.string()).optional(),
            after: z.array(z.string()).optional(),
          }),
        )
        .optional(),
      more: z.boolean().optional().describe('beyond max_per_file'),
    }),
  ),
  skipped: z.int().optional().describe('files behind a symbolic link'),
  missing: z.boolean().optional().describe('some files are not stored here, and were not searched'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

export const gitSearch = tool({
  name: NAME,
  title: 'Search',
  description:
    'Lines that hold a text or match a pattern, in the work tree, the index (staged) or a revision.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const {
      scope: { scope, repositories, maxOutput },
      signal,
    } = context;
    const kind = args.output ?? 'matches';
    const tell = kind === 'matches' ? tellOf(context, 'match', 'matches') : tellOf(context, 'file', 'files');
    const room = { bytes: maxOutput, tell };
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      assertPattern(args.pattern);
      const snapshot = await searchedSnapshot(opened, args);
      const query = grepQueryOf(args, snapshot);
      const position = queryOf(opened, args, snapshot);
      const after =
        args.cursor === undefined ? undefined : openPosition(NAME, position, args.cursor, isPosition);
      const { kept, count, more, skipped, missing } = await found(opened, query, args, after, room);
      const commit = snapshot?.commit;
      const { halves } = fit(count, maxOutput, (taken) => {
        const { files, next } = kept(taken);
        const cut = taken < count || more;
        const structured: Output = {
          ...defined({ commit }),
          files,
          ...(skipped > 0 && { skipped }),
          ...(missing && { missing }),
          truncated: cut,
          ...(cut && next !== undefined && { next_cursor: sealPosition(NAME, position, next) }),
        };
        return { structured, text: textOf(structured, (args.context_lines ?? 0) > 0) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

/** The results from which one page takes. */
interface Found {
  readonly count: number;
  /** whether something follows all of them */
  readonly more: boolean;
  readonly skipped: number;
  readonly missing: boolean;
  kept(count: number): { files: FoundInFile[]; next: SearchPosition | undefined };
}

async function found(
  opened: Opened,
  query: GrepQuery,
  { output: kind = 'matches', context_lines = 0, max_per_file, limit = DEFAULT_LIMIT }: Arguments,
  after: SearchPosition | undefined,
  room: Omit<Bounds, 'most'>,
): Promise<Found> {
  const { workTree } = opened.repository.place;
  const onDisk = query.in === 'worktree' || query.in === 'untracked';
  const admits = onDisk && workTree !== undefined ? insideOf(workTree) : () => true;
  const bounds = { ...room, most: limit };
  if (kind !== 'matches') {
    const { files, refused, missing } = await gatherFiles(opened, query, kind, { after, admits }, bounds);
    const listed = files.slice(0, limit);
    return {
      count: listed.length,
      more: files.length > listed.length,
      skipped: refused,
      missing,
      kept: (count) => ({
        files: listed.slice(0, count).map(named),
        next: count === 0 ? undefined : positionOf(listed[count - 1]!),
      }),
    };
  }
  const perFile = max_per_file ?? Number.POSITIVE_INFINITY;
  const options = { context: context_lines, perFile, after, admits };
  const { matches, more, refused, enough, missing } = await gatherLines(opened, query, options, bounds);
  // the one too many has shown that there are more; its context lines have not come
  const listed = enough ? matches.slice(0, -1) : matches;
  return {
    count: listed.length,
    more: enough,
    skipped: refused.size,
    missing,
    kept: (count) => {
      const kept = listed.slice(0, count);
      const last = kept.at(-1);
      const goesOn = listed[count]?.path === last?.path && last !== undefined;
      const whole = goesOn ? new Set([...more].filter((path) => path !== last.path)) : more;
      return { files: grouped(kept, whole), next: last && [last.path, last.line, last.listed] };
    },
  };
}

async function searchedSnapshot(
  opened: Opened,
  { revision, staged = false, untracked = false }: Arguments,
): Promise<Snapshot | undefined> {
  if ([revision !== undefined, staged, untracked].filter(Boolean).length > 1) {
    throw new ToolError('give only one of revision, staged and untracked', { code: 'invalid-arguments' });
  }
  const { workTree } = opened.repository.place;
  // without a work tree the last commit is searched
  if (revision === undefined && (staged || workTree !== undefined)) return undefined;
  return snapshotOf(opened, revision ?? 'HEAD');
}

function grepQueryOf(args: Arguments, snapshot: Snapshot | undefined): GrepQuery {
  const { pattern, syntax = 'fixed', ignore_case = false, whole_word = false } = args;
  return {
    patterns: [pattern],
    form: syntax,
    ignoreCase: ignore_case,
    words: whole_word,
    in:
      snapshot?.tree ?? (args.staged === true ? 'index' : args.untracked === true ? 'untracked' : 'worktree'),
    ...searchedOf(args.paths ?? [], args.include ?? []),
  };
}

function queryOf({ repository }: Opened, args: Arguments, snapshot: Snapshot | undefined): Json {
  const { pattern, syntax, ignore_case, whole_word, staged, untracked, paths, include } = args;
  return [
    repository.identity,
    snapshot?.tree ?? null,
    ...[pattern, syntax ?? 'fixed', args.output ?? 'matches', args.max_per_file ?? null],
    ...[ignore_case === true, whole_word === true, staged === true, untracked === true],
    ...[paths ?? [], include ?? []],
  ];
}

function isPosition(value: unknown): value is SearchPosition {
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    typeof value[0] === 'string' &&
    isIndex(value[1]) &&
    isIndex(value[2])
  );
}

function assertPattern(pattern: string): void {
  const fault =
    pattern === '' ? 'is empty' : /[\n\0]/.test(pattern) ? 'holds a line break or NUL' : undefined;
  if (fault === undefined) return;
  throw new ToolError(`the pattern ${fault}`, {
    code: 'invalid-pattern',
    hint: 'give what one line holds',
  });
}

function textOf({ files, skipped, missing, truncated, next_cursor }: Output, context: boolean): string {
  const lines = foundLines(files as FoundInFile[], context);
  if (lines.length === 0) lines.push('[no matches]');
  if (skipped !== undefined) {
    lines.push(`[${counted(skipped, 'file', 'files')} behind a symbolic link skipped]`);
  }
  if (missing === true)
    lines.push('[not all was searched: some files are not stored here, as in a partial clone]');
  if (truncated) lines.push(moreNote('there are more matches', next_cursor));
  return lines.join('\n');
}
