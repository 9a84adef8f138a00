import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Network } from './remotes/network.ts';
import type { Repositories } from './repositories.ts';

/** What one call of this server works with. */
export interface Workspace {
  /** what it may touch */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  readonly repositories: Repositories;
  /** how it may reach other repositories */
  readonly network: Network;
  /** whose pages these are */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();
