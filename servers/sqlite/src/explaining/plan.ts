import type { Database } from '../lane/driver.ts';
import { parametersOf } from '../sql/parameters.ts';
import { type Bindings, bindingsOf, type Params } from '../values/bind.ts';

/** One step of a query plan and the steps within it. */
export interface PlanNode {
  readonly detail: string;
  readonly steps?: readonly PlanNode[];
}

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

/** The steps of a plan in order, each with how deep it is. */
export function* stepsOf(
  plan: readonly PlanNode[],
  depth = 0,
): Generator<{ detail: string; depth: number }, void> {
  for (const { detail, steps = [] } of plan) {
    yield { detail, depth };
    yield* stepsOf(steps, depth + 1);
  }
}

/** A plan as lines, indented as its steps are within each other. */
export function planLines(plan: readonly PlanNode[]): string[] {
  return [...stepsOf(plan)].map(({ detail, depth }) => `${'  '.repeat(depth)}${detail}`);
}
