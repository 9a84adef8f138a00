import { ToolError } from '@rootbound/protocol';
import { type Network, requireProtocol } from '../../call/network.ts';
import type { Opened } from '../../call/open-repository.ts';
import { type Remote, remotesOf } from '../../porcelain/remotes.ts';
import { command } from '../../run/command.ts';
import { type RemoteName, remoteName } from '../../run/operand.ts';
import { addressOf } from './address.ts';

/** A change of the configured remotes. */
export type RemoteChange =
  | {
      readonly action: 'add' | 'set_url';
      readonly name: string;
      readonly url: string;
      readonly push: boolean;
    }
  | { readonly action: 'rename'; readonly name: string; readonly new_name: string }
  | { readonly action: 'remove'; readonly name: string };

/** Changes the remotes and returns the undo; undefined where one call cannot restore all of it. */
export async function changeRemote(
  opened: Opened,
  network: Network,
  change: RemoteChange,
): Promise<string | undefined> {
  const before = await remotesIn(opened);
  const name = remoteName(change.name);
  const old = before.find((remote) => remote.name === name);
  if ((old === undefined) !== (change.action === 'add')) throw old === undefined ? unknown(before) : exists();
  const undo = (args: Record<string, unknown>) => `git_remote with ${JSON.stringify(args)}`;
  switch (change.action) {
    case 'add':
      await opened.run(command('remote add', { names: [name, permitted(opened, network, change.url)] }));
      await expectUrl(opened, name, true);
      return undo({ action: 'remove', name });
    case 'set_url': {
      const { push, url } = change;
      const operands = { names: [name, permitted(opened, network, url)] };
      await opened.run(command('remote set-url', { ...operands, flags: push ? ['--push'] : [] }));
      await expectUrl(opened, name, true);
      return !push && old?.fetchUrl !== undefined
        ? undo({ action: 'set_url', name, url: old.fetchUrl })
        : undefined;
    }
    case 'rename': {
      const renamed = remoteName(change.new_name);
      if (before.some((remote) => remote.name === renamed)) throw exists();
      await opened.run(command('remote rename', { names: [name, renamed] }));
      await expectUrl(opened, renamed, true);
      return undo({ action: 'rename', name: renamed, new_name: name });
    }
    case 'remove':
      await opened.run(command('remote remove', { names: [name] }));
      await expectUrl(opened, name, false);
      return undefined;
  }
}

export async function remotesIn(opened: Opened): Promise<Remote[]> {
  return remotesOf(await opened.config());
}

/** Throws for an address that the operator permits to nobody: it would be of no use. */
function permitted({ repository: { place } }: Opened, network: Network, url: string) {
  const address = addressOf(url, place.workTree ?? place.gitDir);
  requireProtocol(network, address);
  return address;
}

async function expectUrl(opened: Opened, name: RemoteName, there: boolean): Promise<void> {
  const found = (await remotesIn(opened)).some((remote) => remote.name === name);
  if (found === there) return;
  throw new ToolError('git reported success, but the configuration has it otherwise', { code: 'changed' });
}

function unknown(remotes: readonly Remote[]): ToolError {
  const names = remotes.map(({ name }) => name).slice(0, 20);
  return new ToolError('there is no such remote', {
    code: 'unknown-remote',
    hint: names.length === 0 ? 'git_remote with action "add" makes one' : `there are ${names.join(', ')}`,
  });
}

function exists(): ToolError {
  return new ToolError('there is a remote of that name', {
    code: 'exists',
    hint: 'set_url changes its address',
  });
}
