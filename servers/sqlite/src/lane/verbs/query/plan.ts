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

/** The plan of a checked query, cached until the database changes. */
export interface Plan {
  readonly tables: readonly string[];
  readonly parameters: Parameters;
  /** the keyset for its pages; undefined if there is no cheap one, 'unknown' until needed */
  keyset: Keyset | undefined | 'unknown';
  /** whether it has, or may have, more rows than a first read returns: then the keyset is determined first */
  isLong: boolean;
  readonly statements: Map<string, RowStatements>;
}

const plans = new WeakMap<Program, Plan>();

/** Returns the plan of a statement that only reads. */
export function planOf(connection: Connection, sql: string): Plan {
  const program = inspect(connection, sql);
  let plan = plans.get(program);
  if (plan !== undefined) return plan;
  assertAllowed(program, 'read');
  if (!connection.prepare(sql).reader)
    throw new LaneError('the statement returns no rows', {
      code: 'no-rows',
      hint: 'use write_query',
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

/**
 * Returns whether the first rows may cost as much as all of them: a query that sorts, groups or joins is not run twice.
 */
function mayTakeLong(sql: string): boolean {
  const ordered = orderedSelect(sql);
  return ordered === undefined || ordered.by !== undefined;
}

/** Returns the bindings of a planned statement. */
export function valuesOf({ parameters }: Plan, params: Params | undefined): Bindings {
  return bindingsOf(parameters, params);
}

/** Returns the row statements of one of the plan's texts, cached. */
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

/** Returns the keyset of the statement; undefined if paging by key would cost more. */
export function keysetIn(
  connection: Connection,
  plan: Plan,
  sql: string,
  bindings: Bindings,
): Keyset | undefined {
  if (plan.keyset === 'unknown') plan.keyset = keysetOf(connection, sql, bindings);
  return plan.keyset;
}
