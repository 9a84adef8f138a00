import { counted } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { readShallow } from '../../repository/shallow.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';

export const depthFacts = z.object({
  ends: z.array(z.string()).describe('where the history ends now; none: it is complete'),
  commits: z.int().describe('more than before; negative: fewer'),
  was_complete: z.boolean().optional(),
});

/** How much history a repository has. */
export interface Depth {
  /** the commits where a shallow history ends; none in a complete one */
  readonly ends: ReadonlySet<Oid>;
  readonly commits: number;
}

/** The change of a history's depth by a fetch. */
export interface DepthChange {
  /** where the history ends now; none: it is complete */
  readonly ends: readonly Oid[];
  /** commits that it has more than before; negative: fewer */
  readonly commits: number;
  /** the history was complete */
  readonly was_complete?: true;
}

/** Ends that one result names at most. */
const MOST_NAMED = 20;

/** Returns the depth of the history; undefined where only git knows its ends. */
export async function depthOf(opened: Opened): Promise<Depth | undefined> {
  const ends = readShallow(opened.repository);
  if (ends === undefined) return undefined;
  const { stdout } = await opened.run(command('rev-list', { flags: ['--all', '--count'] }));
  return { ends, commits: Number(stdout.toString()) };
}

/** Returns the change between two depths; undefined where the history ends at the same commits. */
export function depthChange(before: Depth, after: Depth): DepthChange | undefined {
  const isSame = before.ends.size === after.ends.size && [...before.ends].every((oid) => after.ends.has(oid));
  if (isSame) return undefined;
  return {
    ends: [...after.ends].slice(0, MOST_NAMED),
    commits: after.commits - before.commits,
    ...(before.ends.size === 0 && { was_complete: true as const }),
  };
}

/** Returns the same as a line of text. */
export function depthLine({ ends, commits, was_complete }: z.output<typeof depthFacts>): string {
  const difference = `${counted(Math.abs(commits), 'commit', 'commits')} ${commits < 0 ? 'fewer' : 'more'} than before`;
  if (ends.length === 0) return `the history is complete now: ${difference}`;
  const [end = '', ...others] = ends;
  const where = `${end.slice(0, 12)}${others.length === 0 ? '' : ` and ${others.length} others`}`;
  const kind = was_complete === true ? 'shallow now' : commits < 0 ? 'shorter' : 'deeper';
  return `the history is ${kind}: ${difference}, and it ends at ${where}`;
}
