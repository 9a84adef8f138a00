import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parsePushReport, type ReportedRef } from '../../porcelain/push-report.ts';
import { noCommitYet } from '../../repository/unborn.ts';
import { command } from '../../run/command.ts';
import { isOid, type Oid } from '../../run/oid.ts';
import { pushSpec, type RefName, refName } from '../../run/operand.ts';
import { branchName } from '../safety/refs.ts';
import { refsThere } from './list-refs.ts';
import { remoteOutput } from './remote-output.ts';
import type { Target } from './remote-target.ts';

/** The arguments of a push. */
export interface PushAsked {
  readonly refs?: readonly string[] | undefined;
  readonly delete?: boolean | undefined;
  readonly force_with_lease?: readonly string[] | undefined;
  readonly set_upstream?: boolean | undefined;
  readonly tags?: boolean | undefined;
  readonly atomic?: boolean | undefined;
  readonly push_options?: readonly string[] | undefined;
  readonly dry_run?: boolean | undefined;
}

/** The outcome of a push, or of its dry run, for one reference of the other repository, with full ids. */
export interface PushedRef extends ReportedRef {
  readonly before: Oid | undefined;
  readonly after: Oid | undefined;
}

export interface Pushed {
  readonly refs: readonly PushedRef[];
  readonly output: string | undefined;
  /** whether the other repository was verified to have it; undefined where it was not checked */
  readonly verified: true | undefined;
}

/** One reference that is pushed. */
interface Wanted {
  readonly source: Oid | RefName | undefined;
  readonly destination: RefName;
  /** the commit that the reference must have there to be overwritten */
  readonly lease: Oid | undefined;
  /** its commit here; undefined to delete it there */
  readonly oid: Oid | undefined;
}

/** Pushes to another repository, each reference as requested and none by plain force. */
export async function pushTo(opened: Opened, target: Target, asked: PushAsked): Promise<Pushed> {
  const wanted = await wantedOf(opened, asked);
  const { set_upstream, tags, atomic, dry_run = false, push_options } = asked;
  const pushing = command('push', {
    flags: [
      '--progress',
      ...(set_upstream ? (['--set-upstream'] as const) : []),
      tags ? '--follow-tags' : '--no-follow-tags',
      ...(atomic ? (['--atomic'] as const) : []),
      ...(dry_run ? (['--dry-run'] as const) : []),
    ],
    options: {
      '--receive-pack': target.prefix === undefined ? undefined : `${target.prefix} git-receive-pack`,
      '--force-with-lease': wanted.flatMap(({ destination, lease }) =>
        lease === undefined ? [] : `${destination}:${lease}`,
      ),
      '--push-option': push_options,
    },
    names: [target.operand, ...wanted.map(({ source, destination }) => pushSpec(source, destination))],
  });
  const options = { ...target.options, okay: [0, 1] };
  const finished = await opened.run(pushing, options).catch((error: unknown) => {
    throw halfway(error);
  });
  const { status, stdout, stderr } = finished;
  const refs = await Promise.all(parsePushReport(stdout).map((ref) => withIds(opened, ref, wanted)));
  const printed =
    opened.state === 'trusted'
      ? remoteOutput(`${beforeReport(stdout)}${stderr}`, true)
      : remoteOutput(stderr);
  const rejected = refs.filter(({ result }) => result === 'rejected');
  if (rejected.length > 0) throw rejection(rejected, refs, printed);
  if (status !== 0) throw halfway(opened.failureOf(pushing, finished));
  if (dry_run || !target.readable) return { refs, output: printed, verified: undefined };
  await verify(opened, target, wanted);
  return { refs, output: printed, verified: true };
}

/** Returns what pre-push has written to the output of git, whose report begins with the address. */
function beforeReport(stdout: Buffer): string {
  const text = stdout.toString();
  return text.slice(0, Math.max(0, text.search(/^To /m)));
}

async function wantedOf(opened: Opened, asked: PushAsked): Promise<Wanted[]> {
  const { refs = [currentBranch(opened)], delete: deletes = false, force_with_lease: leases } = asked;
  if (leases !== undefined && leases.length !== refs.length) {
    throw invalid('force_with_lease has one id for each of refs');
  }
  if (deletes && leases === undefined) {
    throw invalid(
      'delete needs force_with_lease: the id that each ref has there',
      'git_remote with list_refs lists the ids',
    );
  }
  return Promise.all(refs.map((ref, at) => wantedAs(opened, ref, deletes, leaseOf(leases?.[at]))));
}

async function wantedAs(
  opened: Opened,
  text: string,
  deletes: boolean,
  lease: Oid | undefined,
): Promise<Wanted> {
  const [from, to, ...more] = text.split(':');
  if (more.length > 0 || (deletes && to !== undefined))
    throw invalid('a ref is not a name or source:destination');
  if (deletes) return { source: undefined, destination: whole(from!), lease, oid: undefined };
  // by its branch, so that the branch gets an upstream where one is requested
  const name = from === 'HEAD' ? (readHead(opened.repository).commit ?? currentBranch(opened)) : from!;
  const full = isOid(name) ? name : await localRef(opened, name);
  const oid = isOid(full) ? await opened.resolve(full) : (await opened.objects.info(full))!.oid;
  if (to === undefined && isOid(full)) throw invalid('an id is pushed as id:destination');
  const destination = to === undefined ? refName(full) : whole(to, full.startsWith('refs/tags/'));
  return { source: isOid(full) ? full : refName(full), destination, lease, oid };
}

/** Returns the full name of a branch or tag here. */
async function localRef({ objects }: Opened, name: string): Promise<string> {
  refName(name);
  const candidates = name.startsWith('refs/') ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`];
  const found: string[] = [];
  for (const ref of candidates) if ((await objects.info(ref)) !== undefined) found.push(ref);
  if (found.length === 1) return found[0]!;
  const unborn = found.length === 0 ? await noCommitYet(objects, name) : undefined;
  if (unborn !== undefined) throw unborn;
  throw new ToolError(
    found.length === 0 ? 'there is no such branch or tag here' : 'a branch and a tag have this name',
    {
      code: found.length === 0 ? 'unknown-revision' : 'ambiguous',
      hint: 'write refs/heads/<branch> or refs/tags/<tag>',
    },
  );
}

function whole(name: string, tag = false): RefName {
  return name.startsWith('refs/')
    ? refName(name)
    : refName(`refs/${tag ? 'tags' : 'heads'}/${branchName(name)}`);
}

function currentBranch({ repository }: Opened): string {
  const { branch } = readHead(repository);
  if (branch !== undefined && !branch.startsWith('refs/')) return `refs/heads/${branch}`;
  throw invalid(`HEAD is at ${branch ?? 'no branch'}: name what to push in refs`);
}

function leaseOf(text: string | undefined): Oid | undefined {
  if (text === undefined || isOid(text)) return text;
  throw invalid('an id of force_with_lease is not whole', 'all hexadecimal digits of it');
}

/** git prints no id for new and deleted references, and abbreviates the others */
async function withIds(opened: Opened, reported: ReportedRef, wanted: readonly Wanted[]): Promise<PushedRef> {
  const { oid, lease } = wanted.find(({ destination }) => destination === reported.ref) ?? {};
  const { result, before } = reported;
  if (result === 'new' || result === 'up-to-date') return { ...reported, before: undefined, after: oid };
  if (result === 'removed') return { ...reported, before: lease, after: undefined };
  if (before === undefined) return { ...reported, before, after: undefined };
  // only a lease overwrites commits that are not here, and it names the full id
  const old = [lease, (await opened.objects.info(before))?.oid].find((id) => id?.startsWith(before));
  return { ...reported, before: old, after: oid };
}

function rejection(
  rejected: readonly PushedRef[],
  all: readonly PushedRef[],
  printed: string | undefined,
): ToolError {
  const reasons = rejected.map(({ ref, reason }) => `${ref} (${reason})`).join(', ');
  const taken = all.filter(({ result }) => result !== 'rejected' && result !== 'up-to-date');
  const others =
    taken.length === 0 ? 'nothing was pushed' : `pushed: ${taken.map(({ ref }) => ref).join(', ')}`;
  const hooked = rejected.some(({ reason }) => /hook declined/.test(reason ?? ''));
  const moved = rejected.every(({ reason }) => /non-fast-forward|fetch first|stale info/.test(reason ?? ''));
  const words = printed === undefined ? '' : `; the other side says: ${printed}`;
  return new ToolError(`rejected: ${reasons}; ${others}${words}`, {
    code: hooked ? 'hook-rejected' : moved ? 'non-fast-forward' : 'rejected',
    hint: moved
      ? 'git_fetch, look at what is new, then merge or rebase; to overwrite it, force_with_lease'
      : 'the other repository rejects it',
  });
}

/** after a failure on the way, the state of the other side is unknown */
function halfway(error: unknown): unknown {
  if (!(error instanceof ToolError) || (error.code !== 'network' && error.code !== 'timeout')) return error;
  return new ToolError(`${error.message}; what the other repository took is unknown`, {
    code: error.code,
    retryable: true,
    hint: 'git_remote with list_refs lists its refs; then push again',
    cause: error,
  });
}

async function verify(opened: Opened, target: Target, wanted: readonly Wanted[]): Promise<void> {
  const there = await refsThere(
    opened,
    target,
    wanted.map(({ destination }) => destination),
  );
  const differing = wanted.filter(({ destination, oid }) => there.get(destination) !== oid);
  if (differing.length === 0) return;
  throw new ToolError(
    `git reported success, but the other repository does not have it so: ${differing.map(({ destination }) => destination).join(', ')}`,
    { code: 'changed', hint: 'another program may have pushed meanwhile; git_fetch shows it' },
  );
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', ...defined({ hint }) });
}
