import type { PlanNode } from '../../shared/query-plan.ts';
import type { Params } from '../../shared/sql/parameters.ts';
import { mentionedIn } from '../explaining/mentioned.ts';
import { explainBindings, planOf } from '../explaining/plan.ts';
import { type PlanWarning, warningsOf } from '../explaining/warnings.ts';
import type { Verb } from '../verb.ts';

export interface ExplainArgs {
  /** without EXPLAIN before it */
  readonly sql: string;
  readonly params?: Params | undefined;
}

export interface ExplainFacts {
  readonly plan: readonly PlanNode[];
  readonly warnings: readonly PlanWarning[];
  readonly tables: readonly string[];
}

/** The plan of a statement, which does not run, and what in it is slow. */
export const explain: Verb<ExplainArgs, ExplainFacts> = ({ connection }, { sql, params }) => {
  const plan = planOf(connection.db, sql, explainBindings(sql, params));
  const mentioned = mentionedIn(connection, sql);
  return {
    plan,
    warnings: warningsOf(connection, plan, mentioned),
    tables: mentioned.objects.map(({ name }) => name),
  };
};
