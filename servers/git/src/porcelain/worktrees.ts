import { type Command, command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, recordsOf, textOf } from './records.ts';

export interface Worktree {
  /** absolute; the main work tree comes first */
  readonly path: string;
  readonly bare: boolean;
  /** undefined before the first commit, or in a bare repository */
  readonly commit: Oid | undefined;
  /** the full ref; undefined where HEAD is detached, or the repository is bare */
  readonly branch: string | undefined;
  /** the reason of its lock, which may be empty */
  readonly locked: string | undefined;
  /** the reason for which git would prune it */
  readonly prunable: string | undefined;
}

/** Builds the command; `-z` needs git 2.36. */
export function worktreesCommand(): Command {
  return command('worktree list', { flags: ['--porcelain', '-z'] });
}

/** Reads the output of `worktreesCommand`. */
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
