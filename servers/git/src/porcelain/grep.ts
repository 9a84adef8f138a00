import { type Command, command } from '../run/command.ts';
import type { GrepQuery } from './grep-query.ts';
import { GrepFileScanner, type GrepLine, GrepLineScanner } from './grep-scan.ts';

const forms = {
  fixed: '--fixed-strings',
  basic: '--basic-regexp',
  extended: '--extended-regexp',
  perl: '--perl-regexp',
} as const;

/** Exit statuses of success; 1 means no match. */
export const grepStatuses = [0, 1] as const;

/** Builds the command that prints matching lines, with context lines around each. */
export function grepCommand(query: GrepQuery, { context = 0 }: { readonly context?: number } = {}): Command {
  const { flags, options, operands } = searched(query);
  return command('grep', {
    flags: [...flags, '--line-number', '--column', query.binaryAsText ? '--text' : '-I'],
    options: { ...options, ...(context === 0 ? {} : { '--context': context }) },
    ...operands,
  });
}

/** Builds the command that prints the files with a match, binary ones too. */
export function grepFilesCommand(query: GrepQuery): Command {
  const { flags, options, operands } = searched(query);
  return command('grep', {
    flags: [...flags, '--files-with-matches', ...(query.binaryAsText ? (['--text'] as const) : [])],
    options,
    ...operands,
  });
}

/** Builds the command that prints the files with a match, binary ones too, and the number of matching lines. */
export function grepCountsCommand(query: GrepQuery): Command {
  const { flags, options, operands } = searched(query);
  return command('grep', {
    flags: [...flags, '--count', ...(query.binaryAsText ? (['--text'] as const) : [])],
    options,
    ...operands,
  });
}

function searched({
  patterns,
  form = 'basic',
  ignoreCase,
  words,
  invert,
  in: where,
  paths,
  globs,
}: GrepQuery) {
  const tree = where === 'worktree' || where === 'untracked' || where === 'index' ? undefined : where;
  return {
    flags: [
      '-z',
      forms[form],
      ...(ignoreCase ? (['--ignore-case'] as const) : []),
      ...(words ? (['--word-regexp'] as const) : []),
      ...(invert ? (['--invert-match'] as const) : []),
      ...(where === 'index' ? (['--cached'] as const) : []),
      ...(where === 'untracked' ? (['--untracked', '--exclude-standard'] as const) : []),
    ] as const,
    options: { '-e': patterns },
    operands: {
      ...(tree === undefined ? {} : { revisions: [tree] }),
      ...(paths === undefined || paths.length === 0 ? {} : { paths }),
      ...(globs === undefined || globs.length === 0 ? {} : { globs }),
    },
  };
}

/** Reads the output of `grepCommand` for the same query; of incomplete output, the complete lines. */
export function parseGrep(bytes: Buffer, query: GrepQuery): GrepLine[] {
  return new GrepLineScanner(query).read(bytes);
}

/** Reads the output of `grepFilesCommand` for the same query. */
export function parseGrepFiles(bytes: Buffer, query: GrepQuery): string[] {
  return new GrepFileScanner(query, 'files').read(bytes).map(({ path }) => path);
}
