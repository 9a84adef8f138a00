import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';

/** How this server changes files; the operator decides. */
export interface ChangePolicy {
  /** a change is answered when it is on the disk */
  readonly fsync: boolean;
  /** whether this server deletes at all */
  readonly deletes: boolean;
  /** what happens to a file with other hard links */
  readonly hardLinks: 'break' | 'refuse';
  /** whether what is deleted goes to the platform's trash */
  readonly trash: boolean;
  /** what the client is asked to confirm, where it can ask */
  readonly confirm: 'never' | 'delete' | 'overwrite';
}

/** What one call of this server works with. */
export interface Workspace {
  /** what it may touch */
  readonly scope: Scope;
  /** most bytes of one half of a result */
  readonly maxOutput: number;
  readonly changes: ChangePolicy;
  /** whose snapshots and pages these are */
  readonly owner: string;
}

/** Whether this server offers a tool of that name. */
export type Offers = (tool: string) => boolean;

export const tool = toolFor<Workspace>();
