import { ToolError } from '@rootbound/protocol';
import type { PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { not } from '../run/operand.ts';

/** The commits of a log: all conditions must hold. */
export interface LogQuery {
  /** the commits where the walk begins, at least one; for a log of all refs, the output of `tipsCommand` */
  readonly from: readonly Oid[];
  /** excludes these and all their ancestors */
  readonly not?: readonly Oid[];
  /** patterns, in the form that `patterns` says */
  readonly author?: string;
  readonly committer?: string;
  readonly message?: string;
  /** default: basic regular expressions */
  readonly patterns?: 'fixed' | 'basic' | 'extended';
  readonly ignoreCase?: boolean;
  /** dates in any form that git reads */
  readonly since?: string;
  readonly until?: string;
  readonly firstParent?: boolean;
  readonly merges?: 'only' | 'none';
  /** commits that change how often this text occurs in a file */
  readonly occurs?: string;
  /** commits with a changed line that matches this regular expression */
  readonly lines?: string;
  readonly paths?: readonly PathArgument[];
  /** one file, also under its earlier names */
  readonly follow?: PathArgument;
  /** default: newest first; `topology` does not mix lines of history */
  readonly order?: 'date' | 'topology';
}

/** Returns whether changes decide which commits the log has, so that git compares them. */
export function isFiltered({ follow, occurs, lines }: LogQuery): boolean {
  return follow !== undefined || occurs !== undefined || lines !== undefined;
}

const patternFlags = {
  fixed: '--fixed-strings',
  basic: '--basic-regexp',
  extended: '--extended-regexp',
} as const;

/** Returns a query as arguments of git. */
export function walkOf(query: LogQuery) {
  const { author, committer, message, since, until, occurs, lines, follow } = query;
  if (query.from.length === 0) throw new TypeError('a log begins at one commit at least');
  if (follow !== undefined && (query.paths?.length ?? 0) > 0) {
    throw new ToolError('only one file can be followed, so no other path can be given', {
      code: 'invalid-arguments',
    });
  }
  const paths = follow === undefined ? query.paths : [follow];
  return {
    flags: [
      patternFlags[query.patterns ?? 'basic'],
      ...(query.ignoreCase ? (['--regexp-ignore-case'] as const) : []),
      ...(query.firstParent ? (['--first-parent'] as const) : []),
      ...(query.merges === 'only' ? (['--merges'] as const) : []),
      ...(query.merges === 'none' ? (['--no-merges'] as const) : []),
      ...(query.order === 'topology' ? (['--topo-order'] as const) : []),
    ] as const,
    /** options of a log alone, which compares commits */
    comparing: ['--root', follow === undefined ? '--no-follow' : '--follow'] as const,
    options: {
      ...(author === undefined ? {} : { '--author': author }),
      ...(committer === undefined ? {} : { '--committer': committer }),
      ...(message === undefined ? {} : { '--grep': message }),
      ...(since === undefined ? {} : { '--since': since }),
      ...(until === undefined ? {} : { '--until': until }),
      ...(occurs === undefined ? {} : { '-S': occurs }),
      ...(lines === undefined ? {} : { '-G': lines }),
    },
    operands: {
      revisions: [...query.from, ...(query.not ?? []).map(not)],
      ...(paths === undefined || paths.length === 0 ? {} : { paths }),
    },
  };
}
