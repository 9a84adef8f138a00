import { type Command, command } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';
import { type ConflictedPath, toConflicted } from './conflicts.ts';
import { nameOfByteString } from './names.ts';
import { recordsOf, textOf, unexpected } from './records.ts';

export interface MergeQuery {
  readonly ours: Oid;
  readonly theirs: Oid;
  /** a base instead of the merge base; needs git 2.40 */
  readonly base?: Oid;
  readonly unrelated?: boolean;
}

/** A message of a merge about some paths; its kind is stable, such as `CONFLICT (contents)`. */
export interface MergeMessage {
  readonly kind: string;
  readonly paths: readonly string[];
  readonly text: string;
}

export interface MergeOutcome {
  /** the tree of the merge, with markers where there are conflicts */
  readonly tree: Oid;
  readonly conflicts: readonly ConflictedPath[];
  readonly messages: readonly MergeMessage[];
}

/** Exit statuses of success; 1 means conflicts. */
export const mergeTreeStatuses = [0, 1] as const;

/** Builds the command that merges into objects, without index or work tree. Needs git 2.38. */
export function mergeTreeCommand({ ours, theirs, base, unrelated }: MergeQuery): Command {
  return command('merge-tree', {
    flags: ['-z', '--messages', ...(unrelated ? (['--allow-unrelated-histories'] as const) : [])],
    ...(base === undefined ? {} : { options: { '--merge-base': base } }),
    revisions: [ours, theirs],
  });
}

/** Reads the output of `mergeTreeCommand`. */
export function parseMergeTree(bytes: Buffer): MergeOutcome {
  const [tree, ...rest] = recordsOf(bytes);
  if (tree === undefined) throw unexpected('merge');
  // an empty record ends the entries, and no entry is empty
  const end = rest.indexOf('');
  const entries = end === -1 ? rest : rest.slice(0, end);
  return {
    tree: toOid(tree),
    conflicts: toConflicted(entries),
    messages: end === -1 ? [] : toMessages(rest.slice(end + 1)),
  };
}

/** each has a number of paths, the paths, its kind and its text */
function toMessages(records: readonly string[]): MergeMessage[] {
  const messages: MergeMessage[] = [];
  for (let at = 0; at < records.length; ) {
    const count = Number(records[at]);
    if (!Number.isInteger(count)) throw unexpected('message of a merge');
    const kind = records[at + count + 1];
    const text = records[at + count + 2];
    if (kind === undefined || text === undefined) break;
    const paths = records.slice(at + 1, at + 1 + count).map(nameOfByteString);
    messages.push({ kind: textOf(kind), paths, text: textOf(text).trimEnd() });
    at += count + 3;
  }
  return messages;
}
