import { defines, type PlannedStatement } from '../../shared/write-plan.ts';
import type { Answer, Verb } from '../verb.ts';
import type { ChangeFacts } from '../writing/facts.ts';
import type { Caps } from '../writing/returned.ts';
import { runAll } from '../writing/run-all.ts';
import type { Terms } from '../writing/terms.ts';

export interface ScriptArgs {
  readonly statements: readonly PlannedStatement[];
  readonly terms: Terms;
  readonly caps: Caps;
  /** whether foreign keys are off and checked at the end */
  readonly keysAtEnd: boolean;
}

/** Runs statements in order as one transaction; the rows of each that returns any are a part. */
export const script: Verb<ScriptArgs, ChangeFacts> = (
  call,
  { statements, terms, caps, keysAtEnd },
): Promise<Answer<ChangeFacts>> => {
  const looks = terms.dryRun || statements.some(defines);
  return runAll(call, {
    statements,
    terms,
    caps,
    keysAtEnd,
    checks: { keys: looks || keysAtEnd, file: looks },
  });
};
