import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';

/** The operator's settings for changes of files. */
export interface ChangePolicy {
  /** whether a call answers only after its change has been written to disk */
  readonly fsync: boolean;
  /** whether delete_file is offered */
  readonly deletes: boolean;
  /** whether a change of a file with other hard links breaks the link or is refused */
  readonly hardLinks: 'break' | 'refuse';
  /** whether deleted files go to the platform's trash */
  readonly trash: boolean;
  /** which changes the user confirms, if the client can ask */
  readonly confirm: 'never' | 'delete' | 'overwrite';
}

/** The boundary, limits and settings of one call. */
export interface Workspace {
  /** the roots and denied names */
  readonly scope: Scope;
  /** maximum size of each half of a result, in bytes */
  readonly maxOutput: number;
  readonly changes: ChangePolicy;
  /** the principal to whom snapshots and pages belong */
  readonly owner: string;
}

/** The abort signal of a call and its function to report progress; a call's context is one. */
export interface CallControl {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** Returns whether this server offers a tool of that name. */
export type Offers = (tool: string) => boolean;

export const tool = toolFor<Workspace>();
