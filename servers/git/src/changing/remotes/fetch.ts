import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type FetchedRef, FetchReport } from '../../porcelain/fetch-report.ts';
import { parseRefs, refsCommand } from '../../porcelain/refs.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { fetchSpec, type RefName, type Refspec, refName } from '../../run/operand.ts';
import { type DepthChange, depthChange, depthOf } from './depth.ts';
import { remoteOutput } from './remote-output.ts';
import type { Target } from './remote-target.ts';

/** The arguments of a fetch. */
export interface FetchAsked {
  readonly refs?: readonly string[] | undefined;
  readonly prune?: boolean | undefined;
  readonly tags?: boolean | undefined;
  readonly depth?: number | undefined;
  readonly deepen?: number | undefined;
  readonly unshallow?: boolean | undefined;
  readonly dry_run?: boolean | undefined;
}

/** A reference of this repository that a fetch moved, with both ids. */
export interface MovedRef {
  readonly ref: string;
  /** undefined: it is new */
  readonly before?: Oid;
  /** undefined: it is deleted, or the run was dry */
  readonly after?: Oid;
  /** the branch lost commits */
  readonly forced?: true;
}

export interface Fetched {
  readonly moved: readonly MovedRef[];
  readonly output: string | undefined;
  /** undefined where the history ends where it did */
  readonly depth: DepthChange | undefined;
}

/** References that one error names at most. */
const MOST_NAMED = 20;

/** Fetches from another repository and returns the references that moved, by the references here before and after. */
export async function fetchFrom(opened: Opened, target: Target, asked: FetchAsked): Promise<Fetched> {
  const before = await refsOf(opened);
  const asksDepth = [asked.depth, asked.deepen, asked.unshallow].some((one) => one !== undefined);
  if (asksDepth && asked.dry_run === true)
    throw new ToolError('git changes the depth of a history in a dry run, too', {
      code: 'invalid-arguments',
      hint: 'leave out dry_run, or depth, deepen and unshallow',
    });
  const depthBefore = asksDepth ? await depthOf(opened) : undefined;
  const { prune, tags, depth, deepen, unshallow = false, dry_run = false } = asked;
  const fetching = command('fetch', {
    flags: [
      // always: without progress a long transfer could not be told from a hung one
      '--progress',
      ...(prune === undefined ? [] : [prune ? ('--prune' as const) : ('--no-prune' as const)]),
      ...(tags === undefined ? [] : [tags ? ('--tags' as const) : ('--no-tags' as const)]),
      ...(unshallow ? (['--unshallow'] as const) : []),
      ...(dry_run ? (['--dry-run'] as const) : []),
    ],
    options: {
      '--upload-pack': target.prefix === undefined ? undefined : `${target.prefix} git-upload-pack`,
      '--depth': depth,
      '--deepen': deepen,
    },
    names: [target.operand, ...(asked.refs ?? []).map(specOf)],
  });
  const { options } = target;
  // the report of a dry run is its only output; hooks, which a fetch may run, see settings
  const config = dry_run
    ? ([
        ['fetch.output', 'full'],
        ['core.abbrev', 'no'],
      ] as const)
    : [];
  const reading = new FetchReport();
  const onStderr = (chunk: Buffer): void => {
    reading.add(chunk);
    options.onStderr?.(chunk);
  };
  const finished = await opened.run(fetching, {
    ...options,
    config,
    onStderr,
    okay: [0, 1],
  });
  const { status, stderr } = finished;
  const report = reading.refs;
  const moved = dry_run ? announcedBy(report) : compared(before, await refsOf(opened), report);
  const printed = remoteOutput(stderr);
  if (status === 0) {
    const depthAfter = depthBefore && (await depthOf(opened));
    const changed = depthBefore && depthAfter && depthChange(depthBefore, depthAfter);
    return { moved, output: printed, depth: changed };
  }
  const rejected = report.filter(({ what }) => what === 'rejected');
  if (rejected.length === 0) throw opened.failureOf(fetching, finished);
  // a lock or the disk failed here; the other side's references do not matter
  const local = rejected.every(({ reason }) => reason === 'unable to update local ref');
  throw new ToolError(
    `not fetched: ${named(rejected.map(({ name, reason }) => `${name} (${reason ?? 'rejected'})`))}`,
    {
      code: local ? 'git-failed' : 'non-fast-forward',
      hint: moved.length === 0 ? 'nothing moved' : `what did move: ${named(moved.map(({ ref }) => ref))}`,
    },
  );
}

/** Returns as many as an error names. */
function named(refs: readonly string[]): string {
  const more = refs.length - MOST_NAMED;
  return refs.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Returns the refspecs. A tag keeps its name here; a branch goes where the remote's configuration puts it. Only full
 * names: `+x` would force, and `tag` is a keyword of git.
 */
function specOf(name: string): RefName | Refspec {
  const ref = refName(name);
  if (name.startsWith('refs/tags/')) return fetchSpec(ref, ref);
  return name === 'HEAD' || name.startsWith('refs/') ? ref : refName(`refs/heads/${ref}`);
}

async function refsOf(opened: Opened): Promise<Map<string, Oid>> {
  const { stdout } = await opened.run(refsCommand());
  return new Map(parseRefs(stdout).flatMap(({ name, oid, symbolic }) => (symbolic ? [] : [[name, oid]])));
}

function compared(
  before: ReadonlyMap<string, Oid>,
  after: ReadonlyMap<string, Oid>,
  report: readonly FetchedRef[],
): MovedRef[] {
  const forced = report.flatMap(({ what, summary }) => (what === 'forced' ? [summary.split('...')] : []));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((ref) => {
    const [from, to] = [before.get(ref), after.get(ref)];
    if (from === to) return [];
    const isForced = forced.some(([old, young]) => from?.startsWith(old!) && to?.startsWith(young!));
    return {
      ref,
      ...defined({ before: from, after: to }),
      ...(isForced && { forced: true as const }),
    };
  });
}

/** git announces a tag twice where it follows fetched commits */
function announcedBy(report: readonly FetchedRef[]): MovedRef[] {
  return [...new Map(report.map((each) => [each.name, announced(each)])).values()];
}

/** Returns a reference that git only announces, with its names and ids. */
function announced({ what, name, summary }: FetchedRef): MovedRef {
  const [before, after] = /^([0-9a-f]{40,})\.{2,3}([0-9a-f]{40,})$/.exec(summary)?.slice(1) ?? [];
  return {
    ref: name,
    ...(before !== undefined && { before: before as Oid, after: after as Oid }),
    ...(what === 'forced' && { forced: true as const }),
  };
}
