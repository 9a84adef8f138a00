import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { type Change, parseChanges } from '../../porcelain/changes.ts';
import { command } from '../../run/command.ts';

/** The differences between index and HEAD, by path. */
export type Staged = ReadonlyMap<string, Change>;

/** A path with a changed index entry. */
export const entry = z.object({
  path: z.string(),
  before: z.string().optional().describe('the blob, or commit of a submodule; absent: not in the index'),
  after: z.string().optional(),
  mode: z.string().optional(),
  conflict: z.literal('resolved').optional(),
});

export type Entry = z.output<typeof entry>;

/** Paths that are listed at most; all are counted. */
export const MAX_LISTED = 100;
/** Paths that an undo names at most. */
const MOST_IN_UNDO = 20;

export async function stagedNow(opened: Opened): Promise<Staged> {
  const { stdout } = await opened.run(
    command('diff', {
      flags: [
        ...(['--cached', '--raw', '-z', '--no-abbrev', '--no-renames'] as const),
        ...(['--ita-visible-in-index', '--ignore-submodules=dirty'] as const),
      ],
    }),
  );
  return new Map(parseChanges(stdout).map((change) => [change.path, change]));
}

/** Returns the changes between two states of the index while HEAD stayed the same. */
export function entriesBetween(before: Staged, after: Staged): Entry[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const entries = [...paths].flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    const resolved = was?.kind === 'unmerged' && is?.kind !== 'unmerged';
    // an entry that equals HEAD's is in neither list: the other list describes it
    const from = was === undefined ? is!.old[0]! : was.new;
    const to = is === undefined ? was!.old[0]! : is.new;
    if (from.oid === to.oid && from.mode === to.mode && !resolved) return [];
    const listed: Entry = {
      path,
      ...defined({ before: from.oid, after: to.oid }),
      ...modeOf(from.mode, to.mode),
      ...(resolved && { conflict: 'resolved' }),
    };
    return [listed];
  });
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const ABSENT = '000000';

export function modeOf(from: string, to: string): { mode?: string } {
  if (to === ABSENT) return {};
  return { mode: from === to || from === ABSENT ? to : `${from} -> ${to}` };
}

/** Returns a line of text: the path and its change. */
export function entryLine({ path, before, after, mode, conflict }: Entry): string {
  const gone = after === undefined && mode === undefined;
  const letter = conflict !== undefined ? 'U' : before === undefined ? 'A' : gone ? 'D' : 'M';
  const moded = mode?.includes('->')
    ? ` (mode ${mode})`
    : mode === '160000'
      ? ' (a repository of its own)'
      : '';
  return `${letter} ${path}${moded}`;
}

/** Returns the first of many lines, and the number of the others. */
export function listed(lines: readonly string[], total: number): string[] {
  const left = total - lines.length;
  return left > 0 ? [...lines, `and ${counted(left, 'more path', 'more paths')}`] : [...lines];
}

/** Returns paths for an undo's call; undefined where they are too many. */
export function pathsOf(paths: readonly string[], most = MOST_IN_UNDO): readonly string[] | undefined {
  return paths.length > most ? undefined : paths;
}

/** Returns paths as arguments of a tool; undefined where they are too many. */
export function pathsFor(paths: readonly string[]): string | undefined {
  return paths.length > MOST_IN_UNDO ? undefined : JSON.stringify(paths);
}
