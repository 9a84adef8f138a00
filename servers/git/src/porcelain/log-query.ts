import { ToolError } from '@rootbound/protocol';
import type { PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { not } from '../run/operand.ts';

/** Which commits a log has. All that is given must hold. */
export interface LogQuery {
  /** what the walk begins at, at least one; for a log of all refs, what `tipsCommand` prints */
  readonly from: readonly Oid[];
  /** leaves out these and all that they come from */
  readonly not?: readonly Oid[];
  /** patterns, in the form that `patterns` says */
  readonly author?: string;
  readonly committer?: string;
  readonly message?: string;
  /** default: basic regular expressions */
  readonly patterns?: 'fixed' | 'basic' | 'extended';
  readonly ignoreCase?: boolean;
  /** dates in any form that git takes */
  readonly since?: string;
  readonly until?: string;
  readonly firstParent?: boolean;
  readonly merges?: 'only' | 'none';
  /** changes how often this text occurs in a file */
  readonly occurs?: string;
  /** has a changed line that matches this regular expression */
  readonly lines?: string;
  readonly paths?: readonly PathArgument[];
  /** one file, also under the names that it had before */
  readonly follow?: PathArgument;
  /** default: newest first; `topology` does not mix the commits of different lines of history */
  readonly order?: 'date' | 'topology';
}

/** Whether changes decide what is in the log: commits are compared to know. */
export function isFiltered({ follow, occurs, lines }: LogQuery): boolean {
  return follow !== undefined || occurs !== undefined || lines !== undefined;
}

const patternFlags = {
  fixed: '--fixed-strings',
  basic: '--basic-regexp',
  extended: '--extended-regexp',
} as const;

/** A query as git takes it. */
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
    /** what only a log knows, which compares commits */
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
