import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Engine } from './engine.ts';

/** What one call of this server works with. */
export interface Workspace {
  /** where downloads may go */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  readonly engine: Engine;
  /** whose pages these are */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();
