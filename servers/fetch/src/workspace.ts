import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Engine } from './engine.ts';

/** The context of one call of this server. */
export interface Workspace {
  /** the roots for downloads */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  readonly engine: Engine;
  /** the principal, who owns the pages */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();
