import { type Command, command } from '../run/command.ts';
import { isOid, type Oid, toOid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { rowsOf, textOf } from './records.ts';

export interface Stash {
  /** as in stash@{0}; numbers change when a stash is dropped */
  readonly position: number;
  readonly commit: Oid;
  /** the commit that was checked out */
  readonly base: Oid | undefined;
  /** a commit of the staged changes; the same tree as `base` where nothing was staged */
  readonly index: Oid | undefined;
  /** a commit of the untracked files, where they were included */
  readonly untracked: Oid | undefined;
  /** undefined where HEAD was detached, or git did not write the message */
  readonly branch: string | undefined;
  readonly message: string;
  /** in seconds since 1970 */
  readonly time: number;
}

export interface StashesOptions {
  readonly skip?: number;
  readonly limit?: number;
}

const format = ['%H', '%P', '%ct', '%gs'];

export function stashesCommand({ skip, limit }: StashesOptions = {}): Command {
  return command('stash list', {
    flags: ['-z'],
    options: { '--format': format.join('%x00'), '--encoding': 'UTF-8', '--skip': skip, '--max-count': limit },
  });
}

/** Reads the output of `stashesCommand` for the same options. */
export function parseStashes(bytes: Buffer, { skip = 0 }: StashesOptions = {}): Stash[] {
  return rowsOf(bytes, format.length).map(([commit, parents, time, message], index) => {
    const [base, staged, untracked] = parents!.split(' ').filter(isOid);
    const branch = /^(?:WIP on|On) ([^:]+): /.exec(message!)?.[1];
    return {
      position: skip + index,
      commit: toOid(commit!),
      base,
      index: staged,
      untracked,
      branch: branch === undefined || branch === '(no branch)' ? undefined : nameOfByteString(branch),
      message: textOf(message!),
      time: Number(time),
    };
  });
}
