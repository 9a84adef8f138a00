import { type Command, command, type PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, recordsOf } from './records.ts';
import { type StatusEntry, toEntry, toRenamed } from './status-entries.ts';

/** HEAD. A branch that is really called "(detached)" reads as none; its ref tells. */
export interface Branch {
  /** undefined before the first commit */
  readonly commit: Oid | undefined;
  /** undefined where HEAD is detached; the full ref where it is no branch */
  readonly head: string | undefined;
  readonly upstream: string | undefined;
  /** commits that only one of the two has; undefined where the upstream is gone, or has nothing in common */
  readonly track: { readonly ahead: number; readonly behind: number } | undefined;
}

export interface Status {
  readonly branch: Branch;
  readonly stashes: number;
  readonly entries: readonly StatusEntry[];
}

export interface StatusOptions {
  /** default: a folder with only such files is one entry */
  readonly untracked?: 'none' | 'folders' | 'all';
  readonly ignored?: boolean;
  /** default: renames of the index and the work tree, detected by content */
  readonly renames?: boolean;
  /** ignores the work trees of submodules */
  readonly shallowSubmodules?: boolean;
  /** compares the commits of submodules, whatever is configured */
  readonly heedless?: boolean;
  readonly paths?: readonly PathArgument[];
}

const untrackedFlags = {
  none: '--untracked-files=no',
  folders: '--untracked-files=normal',
  all: '--untracked-files=all',
} as const;

export function statusCommand(options: StatusOptions = {}): Command {
  const { untracked = 'folders', ignored, renames = true, shallowSubmodules, heedless, paths } = options;
  return command('status', {
    flags: [
      '--branch',
      '--show-stash',
      '--ahead-behind',
      renames ? '--find-renames' : '--no-renames',
      untrackedFlags[untracked],
      ignored ? '--ignored=traditional' : '--ignored=no',
      ...(shallowSubmodules || heedless ? (['--ignore-submodules=dirty'] as const) : []),
    ],
    ...(paths === undefined ? {} : { paths }),
  });
}

/** Reads the output of `statusCommand`; of incomplete output, the complete entries. */
export function parseStatus(bytes: Buffer): Status {
  const entries: StatusEntry[] = [];
  const steps = readStatus(bytes);
  let step = steps.next();
  for (; !step.done; step = steps.next()) entries.push(step.value);
  return { ...step.value, entries };
}

/** Reads the output of `statusCommand` by entries, as many at a time as may run without a yield; then the rest. */
export function* readStatus(bytes: Buffer): Generator<StatusEntry, Omit<Status, 'entries'>, void> {
  const headers = new Map<string, string>();
  const records = recordsOf(bytes);
  for (let at = 0; at < records.length; at++) {
    const record = records[at]!;
    if (record.startsWith('# ')) {
      const end = record.indexOf(' ', 2);
      headers.set(record.slice(2, end), record.slice(end + 1));
    } else if (record.startsWith('2 ')) {
      // the source is a record of its own
      const from = records[++at];
      if (from !== undefined) yield toRenamed(record, from);
    } else {
      yield toEntry(record);
    }
  }
  return { branch: toBranch(headers), stashes: Number(headers.get('stash') ?? 0) };
}

function toBranch(headers: ReadonlyMap<string, string>): Branch {
  const oid = headers.get('branch.oid');
  const head = headers.get('branch.head');
  const upstream = headers.get('branch.upstream');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    commit: oid === undefined || oid === '(initial)' ? undefined : oidOf(oid),
    head: head === undefined || head === '(detached)' ? undefined : nameOfByteString(head),
    upstream: upstream === undefined ? undefined : nameOfByteString(upstream),
    track: ahead === undefined ? undefined : { ahead: Number(ahead), behind: Number(behind) },
  };
}
