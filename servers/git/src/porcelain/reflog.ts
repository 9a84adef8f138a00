import { type Command, command } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';
import type { RefName } from '../run/operand.ts';
import { rowsOf, textOf } from './records.ts';

/** An earlier position of a ref. */
export interface ReflogEntry {
  /** as in HEAD@{1}: 0 is the present position */
  readonly position: number;
  readonly commit: Oid;
  /** the commit of the older entry; undefined for the oldest */
  readonly previous: Oid | undefined;
  /** the reason of the move, such as `commit (amend)` */
  readonly action: string;
  readonly message: string;
  readonly name: string;
  readonly email: string;
  /** seconds since 1970 */
  readonly time: number;
}

export interface ReflogOptions {
  readonly skip?: number;
  readonly limit: number;
}

const format = ['%H', '%gD', '%gn', '%ge', '%gs'];

/**
 * Builds the command that prints one entry more than the limit: its commit is the one before the last entry's, and it
 * shows whether more follow.
 */
export function reflogCommand(ref: RefName, { skip = 0, limit }: ReflogOptions): Command {
  return command('log', {
    flags: ['-z', '--walk-reflogs', '--no-patch', '--no-mailmap'],
    options: {
      '--date': 'unix',
      '--encoding': 'UTF-8',
      '--format': format.join('%x00'),
      '--skip': skip,
      '--max-count': limit + 1,
    },
    revisions: [ref],
  });
}

/** Reads the output of `reflogCommand` for the same options. */
export function parseReflog(
  bytes: Buffer,
  { skip = 0, limit }: ReflogOptions,
): { entries: ReflogEntry[]; more: boolean } {
  const rows = rowsOf(bytes, format.length);
  const entries = rows.slice(0, limit).map(([commit, selector, name, email, subject], index) => {
    const [, action, message] = /^([^:]*): (.*)$/s.exec(subject!) ?? ['', '', subject!];
    const previous = rows[index + 1]?.[0];
    return {
      position: skip + index,
      commit: toOid(commit!),
      previous: previous === undefined ? undefined : toOid(previous),
      action: textOf(action!),
      message: textOf(message!),
      name: textOf(name!),
      email: textOf(email!),
      time: Number(/@\{(\d+)\}$/.exec(selector!)?.[1]),
    };
  });
  return { entries, more: rows.length > limit };
}
