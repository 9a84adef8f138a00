import type { Opened } from '../../call/open-repository.ts';
import { parseRemoteRefs, type RemoteRef } from '../../porcelain/ls-remote.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { RefName } from '../../run/operand.ts';
import type { Target } from './remote-target.ts';

/**
 * Lists the references of another repository, without HEAD and peeled tags; only those with these names where some are
 * given.
 */
export async function refsThere(
  opened: Opened,
  { operand, prefix, options }: Target,
  names: readonly RefName[] = [],
): Promise<Map<string, Oid>> {
  const listing = command('ls-remote', {
    flags: ['--refs'],
    options: { '--upload-pack': prefix === undefined ? undefined : `${prefix} git-upload-pack` },
    names: [operand, ...names],
  });
  const { stdout } = await opened.run(listing, options);
  return new Map(parseRemoteRefs(stdout).map(({ name, oid }: RemoteRef) => [name, oid]));
}
