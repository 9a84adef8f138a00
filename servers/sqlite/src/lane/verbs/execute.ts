import type { Params } from '../../shared/sql/parameters.ts';
import type { PlannedStatement } from '../../shared/write-plan.ts';
import type { Answer, Verb } from '../verb.ts';
import type { ChangeFacts } from '../writing/facts.ts';
import type { Caps } from '../writing/returned.ts';
import { runAll } from '../writing/run-all.ts';
import type { Terms } from '../writing/terms.ts';

export interface ExecuteArgs {
  readonly statement: PlannedStatement;
  readonly params?: Params | undefined;
  readonly terms: Terms;
  readonly caps: Caps;
}

/** Runs one change as a transaction; the rows of its RETURNING are the part. */
export const execute: Verb<ExecuteArgs, ChangeFacts> = (
  call,
  { statement, params, terms, caps },
): Promise<Answer<ChangeFacts>> =>
  runAll(call, {
    statements: [statement],
    params,
    terms,
    caps,
    // COMMIT checks foreign keys itself, except for children of a dropped table
    checks: { keys: terms.dryRun || statement.drops === true, file: false },
  });
