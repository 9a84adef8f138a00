import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type ConflictedPath, conflictsCommand, parseConflicts } from '../../porcelain/conflicts.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { command } from '../../run/command.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { movement, pointOf } from '../safety/point.ts';
import { decidedText, unsuitable } from './decided.ts';
import { stageEncoded } from './encoded.ts';
import { standingOf } from './in-progress.ts';
import { reopen } from './reopen.ts';
import type { ResolveArguments, Resolved } from './resolve-schema.ts';
import { writeFile } from './resolved-file.ts';
import { take } from './take-side.ts';

/** Paths that remain in conflict which a result names at most. */
const MOST_CONFLICTS = 100;

/** Resolves paths in conflict in one way, and stages them. */
export async function resolveConflicts(opened: Opened, args: ResolveArguments): Promise<Resolved> {
  const { paths, reopen: back = false } = args;
  assertOneWay(args);
  const wanted = [...new Set(paths)];
  const known = await conflictsAt(opened, back);
  const conflicts = wanted.map((path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    throw new ToolError(back ? `no conflict was settled in ${path}` : `${path} is not in conflict`, {
      code: 'not-in-conflict',
      hint: 'nothing was done; git_conflicts lists the paths',
    });
  });
  assertExpected(conflicts, args.expected);
  if (args.delete !== true) await refuseFiltered(opened, wanted);
  const resolved = await settle(opened, conflicts, args);
  const { operation, conflicts: left } = await standingOf(opened);
  const open = new Set(left.map(({ path }) => path));
  const wrong = wanted.find((path) => open.has(path) === resolved.includes(path));
  if (wrong !== undefined)
    throw new ToolError(`git reported success, but ${wrong} is not settled as asked`, { code: 'changed' });
  const at = await pointOf(opened);
  const undo = `git_resolve with reopen and paths ${JSON.stringify(resolved)}`;
  const goOn = operation === undefined ? 'git_commit' : 'git_continue with action continue';
  return {
    ...movement(opened, at, at, resolved.length === 0 ? undefined : undo),
    resolved,
    conflicts: left.slice(0, MOST_CONFLICTS).map(({ path, conflict }) => ({ path, conflict })),
    total_conflicts: left.length,
    next: left.length > 0 ? ['git_conflicts', 'git_resolve'] : [goOn],
  };
}

function assertOneWay({ paths, side, decisions, content, delete: remove, reopen }: ResolveArguments): void {
  const ways = [side, decisions, content, remove === true || undefined, reopen === true || undefined];
  if (ways.filter((way) => way !== undefined).length !== 1)
    throw unsuitable('give one of side, decisions, content, delete and reopen');
  if ((decisions ?? content) !== undefined && paths.length > 1)
    throw unsuitable('decisions and content are of one path');
}

/** Returns the paths in conflict, or those that the index remembers. */
async function conflictsAt(opened: Opened, settled: boolean): Promise<Map<string, ConflictedPath>> {
  const asked = settled ? command('ls-files', { flags: ['--resolve-undo', '-z'] }) : conflictsCommand();
  const found = parseConflicts((await opened.run(asked)).stdout);
  return new Map(found.map((conflict) => [conflict.path, conflict]));
}

/** Throws for decisions about other versions than the present ones: they are about another conflict. */
function assertExpected(conflicts: readonly ConflictedPath[], expected: readonly string[] | undefined): void {
  if (expected === undefined) return;
  const found = conflicts.flatMap(({ base, ours, theirs }) =>
    [base, ours, theirs].flatMap((stage) => stage?.oid ?? []),
  );
  if (new Set(found).size === new Set(expected).size && found.every((oid) => expected.includes(oid))) return;
  throw new ToolError('the versions in conflict are not the expected ones', {
    code: 'changed',
    hint: 'nothing was done; look at git_conflicts again',
  });
}

/** Returns the paths that are resolved by them. */
async function settle(
  opened: Opened,
  conflicts: readonly ConflictedPath[],
  args: ResolveArguments,
): Promise<string[]> {
  const names = conflicts.map(({ path }) => path);
  if (args.reopen === true) {
    await reopen(opened, conflicts);
    return [];
  }
  if (args.side !== undefined || args.delete === true) {
    await take(opened, conflicts, args.side ?? 'none');
    return names;
  }
  const { bytes, etag, partial, encoded } = await decidedText(opened, conflicts[0]!, args);
  if (encoded) {
    await stageEncoded(opened, conflicts[0]!, bytes);
    return names;
  }
  await writeFile(opened, names[0]!, bytes, etag);
  if (partial) return [];
  await opened.run(command('add', { flags: ['--sparse'], paths: names.map(bytesOfName) }));
  return names;
}
