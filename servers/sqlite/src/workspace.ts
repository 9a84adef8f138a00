import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Database } from './databases/database.ts';
import { defaultDatabase } from './databases/default.ts';
import { resolveDatabase } from './databases/resolve.ts';
import type { Engine } from './engine.ts';

/** The state that one call works with. */
export interface Workspace {
  /** the roots and their boundary */
  readonly scope: Scope;
  /** most bytes of each half of a result */
  readonly maxOutput: number;
  readonly engine: Engine;
  /** owner of handles and cursors */
  readonly owner: string;
}

export const tool = toolFor<Workspace>();

/** Returns the database that a call names, or the only one in the roots. */
export function databaseOf({ scope }: Workspace, named: string | undefined): Database {
  return resolveDatabase(scope, named ?? defaultDatabase(scope));
}
