import type { CallContext } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { Workspace } from '../workspace.ts';

/** What a reading of one database works with. */
export interface Place {
  readonly context: CallContext<Workspace, undefined>;
  readonly database: Database;
  readonly uri: string;
}
