import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import type { Oid } from '../../run/oid.ts';
import { switchCommand } from '../branches/switch.ts';
import type { Call } from '../remotes/transfer-call.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { inTheWay } from '../safety/in-the-way.ts';
import { pointOf } from '../safety/point.ts';
import { progressTo } from '../safety/progress.ts';
import { differencesOf } from '../safety/written-paths.ts';
import { stampsOf } from './data-loss.ts';

export interface CheckoutOptions {
  /** no files exist yet */
  readonly fresh: boolean;
  /** the agreed losses; undefined: none */
  readonly losing: readonly string[] | undefined;
}

/** Checks out the recorded commit in a submodule and returns its earlier HEAD. */
export async function checkOut(
  opened: Opened,
  commit: Oid,
  { wantsProgress, progress }: Call,
  { fresh, losing }: CheckoutOptions,
): Promise<Oid | undefined> {
  const before = await pointOf(opened);
  const discard = losing !== undefined;
  if (!fresh && !discard && before.commit === commit) return commit;
  if (discard && JSON.stringify(await stampsOf(opened, false)) !== JSON.stringify(losing)) {
    throw new ToolError('what would be lost is no longer what was agreed', {
      code: 'changed',
      retryable: true,
    });
  }
  const differences = await differencesOf(opened, fresh ? undefined : before.commit, commit);
  const lost = (losing ?? []).map((stamp) => stamp.slice(0, stamp.indexOf('\0')));
  const written = [...differences.map(({ path }) => nameOfByteString(path)), ...lost];
  await refuseFiltered(opened, written, { target: commit });
  const target = { branch: undefined, commit, created: false };
  const asked = switchCommand(target, { discard: fresh || discard, progress: wantsProgress });
  try {
    await opened.run(asked, wantsProgress ? { onStderr: progressTo(progress) } : {});
  } catch (error) {
    const blocked = error instanceof ToolError && error.code === 'local-changes';
    throw blocked ? await inTheWay(opened, differences, discard) : error;
  }
  const after = await pointOf(opened);
  if (after.commit === commit && after.branch === undefined) return fresh ? undefined : before.commit;
  throw new ToolError('git reported success, but HEAD of the submodule is elsewhere', { code: 'changed' });
}
