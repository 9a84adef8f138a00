import { defined } from '@rootbound/kit/primitives';
import type { CallOptions } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { progressTo } from '../safety/progress.ts';

/** The parts of a tool's call that a transfer needs. */
export interface Call {
  readonly scope: Workspace;
  readonly signal: AbortSignal;
  readonly wantsProgress: boolean;
  readonly progress: (progress: number, total?: number, message?: string) => void;
}

/**
 * Returns the options of every run that uses the network: the operator's limits, and progress where the client wants
 * it.
 */
export function transferring({ scope: { network }, wantsProgress, progress }: Call): CallOptions {
  return {
    ...defined({ limits: network.limits }),
    ...(wantsProgress && { onStderr: progressTo(progress) }),
  };
}
