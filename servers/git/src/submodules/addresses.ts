import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { ConfigEntry } from '../porcelain/config-list.ts';
import { addressOf, folderOf } from '../remotes/address.ts';
import type { Call } from '../remotes/call.ts';
import { otherSideOf } from '../remotes/folder.ts';
import { requireProtocol } from '../remotes/network.ts';
import { addressed } from '../remotes/target.ts';
import type { Chosen } from './chosen.ts';

/** Whether git itself makes an address of it, by that of the repository around. */
export function isRelative(url: string): boolean {
  return /^\.{1,2}\//.test(url);
}

/** Holds an address that a repository brought to what the operator permits: where git would go. */
export async function requireReachable(
  call: Call,
  entries: readonly ConfigEntry[],
  { path }: Chosen,
  url: string,
): Promise<string> {
  const { network, repositories } = call.scope;
  // what the repository would make of an address does not count: none of it takes part in a clone
  const operator = entries.filter(({ scope }) => scope === 'system' || scope === 'global');
  try {
    const reached = addressed(operator, addressOf(url, undefined)).fetchUrl!;
    if (requireProtocol(network, reached) === 'file')
      await otherSideOf(repositories, call, folderOf(reached, '/'), 'fetch');
    return reached;
  } catch (error) {
    throw about(path, error);
  }
}

/** A refusal or a failure with the submodule that it is about. */
export function about(path: string, error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, retryable, hint } = error;
  return new ToolError(`${path}: ${error.message}`, {
    code,
    retryable,
    cause: error,
    ...defined({ hint }),
  });
}
