import { type Command, command, type PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { recordsOf, textOf, unexpected } from './records.ts';

export interface GrepQuery {
  /** several: a line that any of them matches */
  readonly patterns: readonly string[];
  /** default: basic regular expressions */
  readonly form?: 'fixed' | 'basic' | 'extended' | 'perl';
  readonly ignoreCase?: boolean;
  readonly words?: boolean;
  /** lines that do not match */
  readonly invert?: boolean;
  /** where: what git tracks in the work tree, that and what it neither tracks nor ignores, the index, or a tree */
  readonly in: 'worktree' | 'untracked' | 'index' | Oid;
  readonly paths?: readonly PathArgument[];
  /** default: files with binary contents have no lines */
  readonly binaryAsText?: boolean;
}

export interface GrepLine {
  readonly path: string;
  readonly line: number;
  /** the byte where the first match begins, counted from 1; none in a line that is context */
  readonly column: number | undefined;
  readonly text: string;
}

const forms = {
  fixed: '--fixed-strings',
  basic: '--basic-regexp',
  extended: '--extended-regexp',
  perl: '--perl-regexp',
} as const;

/** Nothing found is exit status 1. */
export const grepStatuses = [0, 1] as const;

/** Prints the lines that match, and as many around each. */
export function grepCommand(query: GrepQuery, { context = 0 }: { readonly context?: number } = {}): Command {
  const { flags, options, operands } = searched(query);
  return command('grep', {
    flags: [...flags, '--line-number', '--column', query.binaryAsText ? '--text' : '-I'],
    options: { ...options, ...(context === 0 ? {} : { '--context': context }) },
    ...operands,
  });
}

/** Prints the files that have a match, binary ones too. */
export function grepFilesCommand(query: GrepQuery): Command {
  const { flags, options, operands } = searched(query);
  return command('grep', {
    flags: [...flags, '--files-with-matches', ...(query.binaryAsText ? (['--text'] as const) : [])],
    options,
    ...operands,
  });
}

function searched({ patterns, form = 'basic', ignoreCase, words, invert, in: where, paths }: GrepQuery) {
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
    },
  };
}

/** Reads `grepCommand` of the same query; of output that was cut, the lines that are whole. */
export function parseGrep(bytes: Buffer, query: GrepQuery): GrepLine[] {
  const lines: GrepLine[] = [];
  const printed = bytes.toString('latin1');
  const prefix = prefixOf(query);
  let last = { name: '', line: 0 };
  for (let at = 0; at < printed.length; ) {
    // a name may begin like the mark between stretches, which stands only where no line follows its neighbour
    const follows = printed.startsWith(`${last.name}\0${last.line + 1}\0`, at);
    if (!follows && lines.length > 0 && printed.startsWith(MARK, at)) at += MARK.length;
    const nameEnd = printed.indexOf('\0', at);
    const numberEnd = printed.indexOf('\0', nameEnd + 1);
    const end = printed.indexOf('\n', numberEnd + 1);
    if (nameEnd === -1 || numberEnd === -1 || end === -1) break;
    last = { name: printed.slice(at, nameEnd), line: Number(printed.slice(nameEnd + 1, numberEnd)) };
    if (!Number.isInteger(last.line) || !last.name.startsWith(prefix)) throw unexpected('line of grep');
    const rest = printed.slice(numberEnd + 1, end);
    const [, column, text] = /^(\d+)\0(.*)$/s.exec(rest) ?? [];
    lines.push({
      path: nameOfByteString(last.name.slice(prefix.length)),
      line: last.line,
      column: column === undefined ? undefined : Number(column),
      text: textOf(text ?? rest),
    });
    at = end + 1;
  }
  return lines;
}

const MARK = '--\n';

/** Reads `grepFilesCommand` of the same query. */
export function parseGrepFiles(bytes: Buffer, query: GrepQuery): string[] {
  const { length } = prefixOf(query);
  return recordsOf(bytes).map((record) => nameOfByteString(record.slice(length)));
}

/** Names in a tree have it before them. */
function prefixOf({ in: where }: GrepQuery): string {
  return where === 'worktree' || where === 'untracked' || where === 'index' ? '' : `${where}:`;
}
