import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Database } from './databases/database.ts';
import { defaultDatabase } from './databases/default.ts';
import { resolveDatabase } from './databases/resolve.ts';
import type { Engine } from './engine.ts';

/** What one call of this server works with. */
export interface Workspace {
  /** what it may touch */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  readonly engine: Engine;
  /** whose handles and pages these are */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();

/** The database that a call names, or the only one there is. */
export function databaseOf({ scope }: Workspace, named: string | undefined): Database {
  return resolveDatabase(scope, named ?? defaultDatabase(scope));
}
