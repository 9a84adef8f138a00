import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { refName } from '../../run/operand.ts';
import { fetchFrom } from '../remotes/fetch.ts';
import { type Target, targetOf } from '../remotes/remote-target.ts';
import type { Call } from '../remotes/transfer-call.ts';

/** Returns the address from which a missing commit would come; undefined where it exists. */
export async function sourceOf(opened: Opened, call: Call, commit: Oid): Promise<Target | undefined> {
  if ((await opened.objects.info(commit)) !== undefined) return undefined;
  return targetOf(opened, call, undefined, 'fetch');
}

/** Fetches a missing commit: as usual, and by its id where no branch leads to it. Returns its source. */
export async function bring(opened: Opened, call: Call, commit: Oid): Promise<string | undefined> {
  const target = await sourceOf(opened, call, commit);
  if (target === undefined) return undefined;
  await fetchFrom(opened, target, {});
  const { operand, options, prefix, urls } = target;
  if ((await opened.objects.info(commit)) === undefined) {
    await opened.run(
      command('fetch', {
        flags: ['--progress'],
        options: { '--upload-pack': prefix === undefined ? undefined : `${prefix} git-upload-pack` },
        names: [operand, refName(commit)],
      }),
      options,
    );
  }
  if ((await opened.objects.info(commit)) !== undefined) return urls[0];
  throw new ToolError(`the recorded commit ${commit.slice(0, 12)} is missing in ${urls[0]}`, {
    code: 'unknown-revision',
    hint: 'whoever recorded it may not have pushed it',
  });
}
