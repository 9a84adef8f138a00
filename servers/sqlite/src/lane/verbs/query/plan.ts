import { LaneError } from '../../../shared/error.ts';
import { type Parameters, type Params, parametersOf } from '../../../shared/sql/parameters.ts';
import type { Connection } from '../../connection.ts';
import { type Keyset, keysetOf } from '../../paging/keyset.ts';
import { orderedSelect } from '../../paging/ordered-select.ts';
import { inspect } from '../../policy/inspect.ts';
import { assertAllowed } from '../../policy/policy.ts';
import type { Program } from '../../policy/program.ts';
import { type Bindings, bindingsOf } from '../../values/bind.ts';
import {
  type RowStatementOptions,
  type RowStatements,
  rowStatementsOf,
} from '../../values/row-statements.ts';

/** What is known of a query once it has passed the checks; it is kept until the database changes. */
export interface Plan {
  readonly tables: readonly string[];
  readonly parameters: Parameters;
  /** how its pages are told apart; undefined when there is no cheap way, unknown until it is asked for */
  keyset: Keyset | undefined | 'unknown';
  /** whether it has more rows than come at once anyhow, or may have: how its pages are told apart is asked then */
  isLong: boolean;
  readonly statements: Map<string, RowStatements>;
}

const plans = new WeakMap<Program, Plan>();

/** The plan of a statement that only reads. */
export function planOf(connection: Connection, sql: string): Plan {
  const program = inspect(connection, sql);
  let plan = plans.get(program);
  if (plan !== undefined) return plan;
  assertAllowed(program, 'read');
  if (!connection.prepare(sql).reader)
    throw new LaneError('the statement gives no rows', {
      code: 'no-rows',
      hint: 'write_query changes a database',
    });
  plan = {
    tables: program.readsTables,
    parameters: parametersOf(sql),
    keyset: 'unknown',
    isLong: mayTakeLong(sql),
    statements: new Map(),
  };
  plans.set(program, plan);
  return plan;
}

/** Whether the first rows may cost as much as all of them: whatever sorts, groups or joins is not begun twice. */
function mayTakeLong(sql: string): boolean {
  const ordered = orderedSelect(sql);
  return ordered === undefined || ordered.by !== undefined;
}

/** The values that a call gives to a planned statement. */
export function valuesOf({ parameters }: Plan, params: Params | undefined): Bindings {
  return bindingsOf(parameters, params);
}

/** How one of the texts of a plan is read. */
export function rowStatementsIn(
  connection: Connection,
  { statements }: Plan,
  sql: string,
  options: RowStatementOptions,
): RowStatements {
  const name = `${options.cellBytes} ${sql}`;
  let found = statements.get(name);
  if (found === undefined) {
    found = rowStatementsOf(connection, sql, options);
    statements.set(name, found);
  }
  return found;
}

/** The statement's pages by key, where that costs no more than the statement itself. */
export function keysetIn(
  connection: Connection,
  plan: Plan,
  sql: string,
  bindings: Bindings,
): Keyset | undefined {
  if (plan.keyset === 'unknown') plan.keyset = keysetOf(connection, sql, bindings);
  return plan.keyset;
}
