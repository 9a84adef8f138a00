import { join, relative } from 'node:path';
import { replaceFile } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { RefName } from '../../run/operand.ts';
import { run } from '../../run/run.ts';
import { cloneFrom } from '../remotes/clone.ts';
import type { Call } from '../remotes/transfer-call.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { differencesOf } from '../safety/written-paths.ts';
import { about, requireReachable } from './addresses.ts';
import { checkOut } from './checkout.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import { initialise } from './configured.ts';
import type { DataLoss } from './data-loss.ts';
import { bring, sourceOf } from './fetch-commit.ts';
import { changeSubmodule, useSubmodule } from './open-submodule.ts';
import type { Arguments, SubmoduleChange } from './submodule-schema.ts';

/** Levels of submodules in submodules that are updated. */
export const DEEPEST = 8;

/** A superproject. */
export interface Level {
  /** the path of its work tree */
  readonly top: string;
  /** the path from the outermost one, before the paths of results */
  readonly prefix: string;
  readonly depth: number;
}

/**
 * Checks out the recorded commits. git's own update is not used: it would go wherever a repository that it has just
 * fetched sends it. Each repository is opened and audited for itself, and each address checked before any is used.
 */
export async function update(
  call: Call,
  { top, prefix, depth }: Level,
  args: Arguments,
  dataLoss: DataLoss,
): Promise<SubmoduleChange[]> {
  const { scope, repositories } = call.scope;
  const { signal } = call;
  if (depth > DEEPEST)
    throw new ToolError('there are too many submodules in each other', { code: 'unsupported' });
  if (args.init && !args.dry_run)
    await repositories.change(scope, top, signal, (opened) => initialise(opened, call, args));
  const planned = await repositories.use(scope, top, signal, (opened) => plan(opened, call, args));
  const done: SubmoduleChange[] = [];
  for (const each of planned) {
    const path = prefix + each.chosen.path;
    const { facts } = each.chosen;
    if (each.skipped !== undefined || args.dry_run) {
      const { url, skipped } = each;
      const known = { ...(url && { url }), ...defined({ skipped }) };
      done.push({ path, ...known, ...(facts.detached && { before: facts.detached }) });
      continue;
    }
    try {
      const before = await updateOne(call, top, each, dataLoss.get(each.chosen.top));
      done.push({
        path,
        ...(each.url && { url: each.url }),
        ...(before && { before }),
        after: facts.commit!,
      });
      if (!args.recursive) continue;
      const inner = { top: each.chosen.top, prefix: `${path}/`, depth: depth + 1 };
      done.push(...(await update(call, inner, { ...args, paths: undefined }, dataLoss)));
    } catch (error) {
      throw about(path, after(done, error));
    }
  }
  return done;
}

/** A submodule, and the source of its missing objects. */
interface Planned {
  readonly chosen: Chosen;
  readonly kind: 'clone' | 'attach' | 'present';
  /** the address on the way; undefined where everything is here */
  readonly url: string | undefined;
  readonly skipped: string | undefined;
}

async function plan(opened: Opened, call: Call, { paths }: Arguments): Promise<Planned[]> {
  const { entries, chosen } = await chosenOf(opened, paths);
  const planned: Planned[] = [];
  for (const each of chosen) {
    const { facts, top, kept } = each;
    const kind = facts.state === 'checked-out' ? 'present' : kept === undefined ? 'clone' : 'attach';
    const skipped = each.skipped ?? (each.url === undefined ? 'not initialised' : undefined);
    let url: string | undefined;
    if (skipped === undefined) {
      const commit = facts.commit as Oid;
      const source = async (inner: Opened) => (await sourceOf(inner, call, commit))?.urls[0];
      try {
        if (kind === 'clone') url = await requireReachable(call, entries, each, each.url!);
        else if (kind === 'present') url = await useSubmodule(call, top, source);
        else url = await useKept(call, each, source);
      } catch (error) {
        throw kind === 'clone' ? error : about(each.path, error);
      }
    }
    planned.push({ chosen: each, kind, url, skipped });
  }
  return planned;
}

/** the earlier HEAD of the submodule */
async function updateOne(
  call: Call,
  around: string,
  { chosen, kind }: Planned,
  losing: readonly string[] | undefined,
): Promise<Oid | undefined> {
  const { top } = chosen;
  const commit = chosen.facts.commit as Oid;
  const { scope, repositories } = call.scope;
  if (kind === 'attach') {
    await useKept(call, chosen, (inner) => bring(inner, call, commit));
    return repositories.change(scope, around, call.signal, (opened) => attach(opened, call, chosen));
  }
  const fresh = kind === 'clone';
  if (fresh) {
    await cloneFrom({ url: chosen.url!, path: top, no_checkout: true }, call, async () => undefined);
    await repositories.change(scope, around, call.signal, (opened) =>
      opened.run(command('submodule absorbgitdirs', { paths: toPaths([chosen.path]) })),
    );
  }
  await repositories.transfer(scope, top, call.signal, (opened) => bring(opened, call, commit));
  return changeSubmodule(call, top, (opened) => checkOut(opened, commit, call, { fresh, losing }));
}

/** Works with the git dir that a submodule keeps while it is not checked out. */
function useKept<T>(call: Call, { top, kept }: Chosen, work: (inner: Opened) => Promise<T>): Promise<T> {
  const { scope, repositories } = call.scope;
  return repositories.transfer(scope, kept!, call.signal, (inner) => {
    const { gitDir, workTree } = inner.repository.place;
    if (gitDir === kept && (workTree === undefined || workTree === top)) return work(inner);
    throw new ToolError('its git dir belongs to another folder', {
      code: 'damaged',
      hint: 'remove core.worktree from its configuration',
    });
  });
}

/** Connects a kept git dir with its folder, as git does, and checks out there, without network. */
async function attach(opened: Opened, call: Call, chosen: Chosen): Promise<undefined> {
  const { top } = chosen;
  const kept = chosen.kept!;
  const { roots } = opened.repository.opened;
  const options = { '--file': join(kept, 'config') };
  const workTree = ['core.worktree', relative(kept, top)] as string[] as RefName[];
  const { signal } = call;
  const commit = chosen.facts.commit as Oid;
  await useKept(call, chosen, (inner) => {
    const written = async () =>
      (await differencesOf(inner, undefined, commit)).map(({ path }) => nameOfByteString(path));
    return refuseFiltered(inner, written, { target: commit });
  });
  await run(opened.git, command('config --unset-all', { options, names: workTree.slice(0, 1) }), {
    okay: [0, 5],
    signal,
  });
  await run(opened.git, command('config --add', { options, names: workTree }), { signal });
  const link = Buffer.from(`gitdir: ${relative(top, kept)}\n`);
  await replaceFile(roots, join(top, '.git'), link, { createParents: true });
  await changeSubmodule(call, top, (inner) =>
    checkOut(inner, commit, call, { fresh: true, losing: undefined }),
  );
}

/** Returns a failure with the work that was done before it. */
function after(done: readonly SubmoduleChange[], error: unknown): unknown {
  const moved = done.filter(({ skipped }) => skipped === undefined).map(({ path }) => path);
  if (!(error instanceof ToolError) || moved.length === 0) return error;
  const { code, retryable, hint = '' } = error;
  const hintAndMoves = `${hint}${hint === '' ? '' : '; '}updated before it: ${moved.slice(0, 10).join(', ')}`;
  return new ToolError(error.message, { code, retryable, cause: error, hint: hintAndMoves });
}
