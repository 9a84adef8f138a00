import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import type { Verb } from '../verb.ts';

export interface CheckArgs {
  /** has passed checkStatement */
  readonly sql: string;
  readonly writes: boolean;
}

/** Fails where a statement could not run on this database, without running it. */
export const check: Verb<CheckArgs, null> = ({ connection }, { sql, writes }) => {
  assertAllowed(inspect(connection, sql), writes ? 'write' : 'read');
  return null;
};
