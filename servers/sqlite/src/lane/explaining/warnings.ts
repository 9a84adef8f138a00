import { type PlanNode, stepsOf } from '../../shared/query-plan.ts';
import { rowsText } from '../../shared/row-estimate.ts';
import { foldName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { rowsOf } from '../schema/rows.ts';
import type { Mentioned } from './mentioned.ts';

/** A step of a plan that is slow on large tables. */
export interface PlanWarning {
  readonly kind: 'full-scan' | 'temp-b-tree' | 'automatic-index' | 'correlated-subquery' | 'view-in-full';
  readonly step: string;
  readonly table?: string;
  readonly message: string;
}

/** Rows from which a full scan is reported. */
const LARGE = 1_000;

/** Returns the steps of a plan that are slow on large tables. */
export function warningsOf(
  connection: Connection,
  plan: readonly PlanNode[],
  mentioned: Mentioned,
): PlanWarning[] {
  const warnings: PlanWarning[] = [];
  for (const { detail: step } of stepsOf(plan)) {
    const scanned = scannedIn(step);
    const object = scanned === undefined ? undefined : mentioned.byAlias.get(foldName(scanned));
    const warning = ((): Omit<PlanWarning, 'step'> | undefined => {
      if (object?.type === 'view')
        return {
          kind: 'view-in-full',
          table: object.name,
          message: `computes all rows of the view ${object.name} first`,
        };
      if (object?.type === 'table') {
        const estimate = rowsOf(connection, object);
        if (estimate === undefined || estimate.rows < LARGE) return undefined;
        return {
          kind: 'full-scan',
          table: object.name,
          message: `reads all of ${object.name}, ${rowsText(estimate)}: no index matches its conditions`,
        };
      }
      const sorted = /^USE TEMP B-TREE FOR (.*)$/.exec(step)?.[1];
      if (sorted !== undefined)
        return {
          kind: 'temp-b-tree',
          message: `sorts all rows for ${sorted} before the first one is returned`,
        };
      if (/ USING AUTOMATIC /.test(step))
        return {
          kind: 'automatic-index',
          message: 'builds an index for this run only: a permanent one would save that',
        };
      if (step.startsWith('CORRELATED '))
        return { kind: 'correlated-subquery', message: 'runs a subquery again for each row' };
      return undefined;
    })();
    if (warning !== undefined) warnings.push({ ...warning, step });
  }
  return warnings;
}

/** Returns the table or alias that a step scans without an index. */
function scannedIn(step: string): string | undefined {
  const [, name] = /^SCAN (.+?)(?: LEFT-JOIN| RIGHT-JOIN| OUTER-JOIN)?$/s.exec(step) ?? [];
  if (name === undefined || name === 'CONSTANT ROW') return undefined;
  return / (?:USING (?:COVERING )?INDEX |VIRTUAL TABLE INDEX )/.test(step) ? undefined : name;
}
