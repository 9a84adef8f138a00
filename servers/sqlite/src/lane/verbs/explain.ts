import type { PlanNode } from '../../shared/query-plan.ts';
import type { Params } from '../../shared/sql/parameters.ts';
import { mentionedIn } from '../explaining/mentioned.ts';
import { explainBindings, planOf } from '../explaining/plan.ts';
import { type PlanWarning, warningsOf } from '../explaining/warnings.ts';
import type { Verb } from '../verb.ts';

export interface ExplainArgs {
  /** the statement without EXPLAIN */
  readonly sql: string;
  readonly params?: Params | undefined;
}

export interface ExplainFacts {
  readonly plan: readonly PlanNode[];
  readonly warnings: readonly PlanWarning[];
  readonly tables: readonly string[];
}

/** Returns the plan of a statement and its slow steps; does not execute it. */
export const explain: Verb<ExplainArgs, ExplainFacts> = ({ connection }, { sql, params }) => {
  const plan = planOf(connection.db, sql, explainBindings(sql, params));
  const mentioned = mentionedIn(connection, sql);
  return {
    plan,
    warnings: warningsOf(connection, plan, mentioned),
    tables: mentioned.objects.map(({ name }) => name),
  };
};
