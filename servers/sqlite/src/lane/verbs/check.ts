import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import type { Verb } from '../verb.ts';

export interface CheckArgs {
  /** a statement that has passed checkStatement */
  readonly sql: string;
  readonly writes: boolean;
}

/** Throws if a statement could not run on this database; does not execute it. */
export const check: Verb<CheckArgs, null> = ({ connection }, { sql, writes }) => {
  assertAllowed(inspect(connection, sql), writes ? 'write' : 'read');
  return null;
};
