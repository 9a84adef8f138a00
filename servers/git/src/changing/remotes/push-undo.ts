import type { Opened } from '../../call/open-repository.ts';
import type { PushedRef } from './push.ts';

/** Returns the undo of a push; undefined where it would take two calls, or the old commit is not here. */
export async function undoOf(
  { objects }: Opened,
  remote: string | undefined,
  refs: readonly PushedRef[],
): Promise<string | undefined> {
  const done = refs.filter(({ result }) => result !== 'up-to-date');
  const say = (args: Record<string, unknown>) => `git_push with ${JSON.stringify({ remote, ...args })}`;
  if (done.length === 0) return undefined;
  const names = done.map(({ ref }) => ref);
  const now = done.flatMap(({ after }) => after ?? []);
  if (done.every(({ result }) => result === 'new') && now.length === done.length)
    return say({ refs: names, delete: true, force_with_lease: now });
  const specs: string[] = [];
  for (const { before, ref } of done) {
    if (before === undefined || (await objects.info(before)) === undefined) return undefined;
    specs.push(`${before}:${ref}`);
  }
  if (now.length > 0 && now.length < done.length) return undefined;
  return say({ refs: specs, ...(now.length > 0 && { force_with_lease: now }) });
}
