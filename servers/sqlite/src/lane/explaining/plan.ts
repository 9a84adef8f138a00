import type { PlanNode } from '../../shared/query-plan.ts';
import { type Params, parametersOf } from '../../shared/sql/parameters.ts';
import type { Database } from '../driver.ts';
import { type Bindings, bindingsOf } from '../values/bind.ts';

interface Row {
  id: number;
  parent: number;
  detail: string;
}

/** What a statement is explained with: the caller's values, or none for all where it gave none. */
export function explainBindings(sql: string, params: Params | undefined): Bindings {
  const parameters = parametersOf(sql);
  return bindingsOf(parameters, params ?? (parameters.length === 0 ? undefined : parameters.map(() => null)));
}

/** The query plan of a statement, which does not run. */
export function planOf(db: Database, sql: string, bindings: Bindings): PlanNode[] {
  const rows = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .safeIntegers(false)
    .all(...bindings) as Row[]; // what EXPLAIN QUERY PLAN gives
  const within = new Map<number, Row[]>();
  for (const row of rows) {
    const siblings = within.get(row.parent);
    if (siblings === undefined) within.set(row.parent, [row]);
    else siblings.push(row);
  }
  const nodesIn = (parent: number): PlanNode[] =>
    (within.get(parent) ?? []).map(({ id, detail }) => {
      const steps = id === parent ? [] : nodesIn(id);
      return { detail, ...(steps.length > 0 && { steps }) };
    });
  return nodesIn(0);
}
