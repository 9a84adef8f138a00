import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Sides } from '../../porcelain/diff.ts';
import { DEEPEN } from '../../repository/unknown.ts';
import { command } from '../../run/command.ts';
import { type Oid, toOid } from '../../run/oid.ts';

export interface Wanted {
  /** a revision, or two of them with two or three dots between */
  readonly target?: string | undefined;
  readonly staged?: boolean | undefined;
}

/** Returns the ids of the two sides that the caller wants compared. */
export async function sidesOf(opened: Opened, { target, staged = false }: Wanted): Promise<Sides> {
  const range = target === undefined ? undefined : rangeOf(target);
  if (range !== undefined) {
    if (!staged) return between(opened, range);
    throw new ToolError('staged changes are compared with one revision, not with two', {
      code: 'invalid-arguments',
      hint: 'leave out staged, or give one revision as target',
    });
  }
  assertWorkTree(opened);
  if (target === undefined) return { kind: staged ? 'staged' : 'unstaged' };
  return { kind: staged ? 'staged' : 'worktree', from: await resolveTree(opened, target) };
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly sinceFork: boolean;
}

// dots inside a path, a search or an expression in braces do not count; an omitted side is HEAD
const twoRevisions = /^((?:[^:{.]|\{[^}]*\}|\.(?!\.))*)(\.\.\.?)(.*)$/s;

function rangeOf(target: string): Range | undefined {
  const [, from, dots, to] = twoRevisions.exec(target) ?? [];
  return dots === undefined
    ? undefined
    : { from: from || 'HEAD', to: to || 'HEAD', sinceFork: dots.length === 3 };
}

async function between(opened: Opened, { from, to, sinceFork }: Range): Promise<Sides> {
  if (!sinceFork)
    return { kind: 'between', from: await resolveTree(opened, from), to: await resolveTree(opened, to) };
  const [ours, theirs] = [await opened.resolve(from, 'commit'), await opened.resolve(to, 'commit')];
  return { kind: 'between', from: await forkOf(opened, ours, theirs), to: theirs };
}

// git refuses three dots with several merge bases here; the first base is the one it takes elsewhere
async function forkOf(opened: Opened, ours: Oid, theirs: Oid): Promise<Oid> {
  const asked = command('merge-base', { revisions: [ours, theirs] });
  const { status, stdout } = await opened.run(asked, { okay: [0, 1] });
  if (status === 0) return toOid(stdout.toString('latin1').trim());
  const isShallow = (opened.objects.ends()?.size ?? 0) > 0;
  throw new ToolError(
    `the two revisions have no commit in common${isShallow ? ' here: this clone is shallow' : ''}`,
    {
      code: 'no-merge-base',
      hint: isShallow ? `${DEEPEN}; two dots compare the files alone` : 'compare them with two dots',
    },
  );
}

/** Resolves a commit, or a tree where the name is one. */
async function resolveTree(opened: Opened, revision: string): Promise<Oid> {
  const { oid, type } = await opened.find(revision);
  return type === 'commit' || type === 'tree' ? oid : opened.resolve(revision, 'commit');
}

function assertWorkTree({ repository }: Opened): void {
  if (repository.place.workTree !== undefined) return;
  throw new ToolError('a bare repository has no work tree and nothing staged', {
    code: 'unsupported',
    hint: 'compare two revisions: target a..b',
  });
}
