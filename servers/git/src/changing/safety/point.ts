import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import type { Oid } from '../../run/oid.ts';
import type { Changed } from './change-schema.ts';

/** The commit and the branch of HEAD. */
export interface Point {
  /** without refs/heads/; undefined where HEAD is detached */
  readonly branch: string | undefined;
  /** undefined where there is no commit yet */
  readonly commit: Oid | undefined;
}

export async function pointOf(opened: Pick<Opened, 'repository' | 'objects'>): Promise<Point> {
  const info = await opened.objects.info('HEAD');
  return { branch: readHead(opened.repository).branch, commit: info?.oid };
}

/** Throws when HEAD is at another commit than the caller expects. */
export async function expectHead(
  opened: Opened,
  { commit }: Point,
  expected: string | undefined,
): Promise<void> {
  if (expected === undefined || (await opened.resolve(expected, 'commit')) === commit) return;
  throw new ToolError(`HEAD is at ${commit?.slice(0, 12) ?? 'no commit'}, not at expected_head`, {
    code: 'moved',
    hint: 'nothing was done; look at the new commits first',
  });
}

/** Returns where a change began and ended, and its undo. */
export function movement(opened: Opened, before: Point, after: Point, undo: string | undefined): Changed {
  const moved = after.commit === before.commit ? undefined : after.commit;
  return defined({
    branch: after.branch,
    before: before.commit,
    after: moved,
    undo,
    hooks: opened.hooksOff,
  });
}

/** Returns the same as a line of text: `main: 1234567890ab -> ba0987654321`. */
export function movementLine({
  branch,
  before,
  after,
}: { readonly [key in 'branch' | 'before' | 'after']?: string | undefined }): string {
  const where = branch ?? 'HEAD';
  const [from, to] = [before, after ?? before].map((commit) => commit?.slice(0, 12) ?? 'no commit');
  return from === to ? `${where} at ${to}` : `${where}: ${from} -> ${to}`;
}
