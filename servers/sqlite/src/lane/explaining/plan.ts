import type { PlanNode } from '../../shared/query-plan.ts';
import { type Params, parametersOf } from '../../shared/sql/parameters.ts';
import type { Database } from '../driver.ts';
import { type Bindings, bindingsOf } from '../values/bind.ts';

interface Row {
  id: number;
  parent: number;
  detail: string;
}

/** Returns the bindings for EXPLAIN: the caller's values, or NULL for each parameter if it gave none. */
export function explainBindings(sql: string, params: Params | undefined): Bindings {
  const parameters = parametersOf(sql);
  return bindingsOf(parameters, params ?? (parameters.length === 0 ? undefined : parameters.map(() => null)));
}

/** Returns the query plan of a statement without executing it. */
export function planOf(db: Database, sql: string, bindings: Bindings): PlanNode[] {
  const rows = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .safeIntegers(false)
    .all(...bindings) as Row[]; // columns of EXPLAIN QUERY PLAN
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
