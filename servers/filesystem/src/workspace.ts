import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';

/** What one call of this server works with. */
export interface Workspace {
  /** what it may touch */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  /** whose snapshots and pages these are */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();
