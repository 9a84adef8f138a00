import { type Command, command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, recordsOf, textOf } from './records.ts';

export interface Worktree {
  /** absolute, on this machine; the one of the main repository comes first */
  readonly path: string;
  readonly bare: boolean;
  /** none before the first commit, or where it is bare */
  readonly commit: Oid | undefined;
  /** the whole ref; none where HEAD is detached, or it is bare */
  readonly branch: string | undefined;
  /** why it is kept from removal, which may be empty */
  readonly locked: string | undefined;
  /** why git would forget it */
  readonly prunable: string | undefined;
}

/** Needs git 2.36, which has `-z` there. */
export function worktreesCommand(): Command {
  return command('worktree list', { flags: ['--porcelain', '-z'] });
}

/** Reads `worktreesCommand`. */
export function parseWorktrees(bytes: Buffer): Worktree[] {
  const worktrees: Worktree[] = [];
  let attributes = new Map<string, string>();
  for (const record of recordsOf(bytes)) {
    if (record !== '') {
      const end = record.indexOf(' ');
      if (end === -1) attributes.set(record, '');
      else attributes.set(record.slice(0, end), record.slice(end + 1));
    } else if (attributes.size > 0) {
      worktrees.push(toWorktree(attributes));
      attributes = new Map();
    }
  }
  return worktrees;
}

function toWorktree(attributes: ReadonlyMap<string, string>): Worktree {
  const name = (key: string) => read(attributes, key, nameOfByteString);
  const reason = (key: string) => read(attributes, key, textOf);
  return {
    path: name('worktree') ?? '',
    bare: attributes.has('bare'),
    commit: read(attributes, 'HEAD', oidOf),
    branch: name('branch'),
    locked: reason('locked'),
    prunable: reason('prunable'),
  };
}

function read<T>(
  attributes: ReadonlyMap<string, string>,
  key: string,
  as: (value: string) => T,
): T | undefined {
  const value = attributes.get(key);
  return value === undefined ? undefined : as(value);
}
