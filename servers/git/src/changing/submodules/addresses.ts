import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { requireProtocol } from '../../call/network.ts';
import type { ConfigEntry } from '../../porcelain/config-list.ts';
import { addressOf, folderOf } from '../remotes/address.ts';
import { otherSideOf } from '../remotes/remote-folder.ts';
import { addressed } from '../remotes/remote-target.ts';
import type { Call } from '../remotes/transfer-call.ts';
import type { Chosen } from './chosen.ts';

/** Returns whether git resolves an address against that of the superproject. */
export function isRelative(url: string): boolean {
  return /^\.{1,2}\//.test(url);
}

/** Throws unless the operator permits the final address from a repository. */
export async function requireReachable(
  call: Call,
  entries: readonly ConfigEntry[],
  { path }: Chosen,
  url: string,
): Promise<string> {
  const { network, repositories } = call.scope;
  // the repository's own rewrites do not count: none of them applies to a clone
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

/** Returns a failure with the submodule that it is about. */
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
