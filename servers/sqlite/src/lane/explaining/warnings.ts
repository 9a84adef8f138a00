import { type PlanNode, stepsOf } from '../../shared/query-plan.ts';
import { rowsText } from '../../shared/row-estimate.ts';
import { foldName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { rowsOf } from '../schema/rows.ts';
import type { Mentioned } from './mentioned.ts';

/** What makes a plan slow where there is much to read. */
export interface PlanWarning {
  readonly kind: 'full-scan' | 'temp-b-tree' | 'automatic-index' | 'correlated-subquery' | 'view-in-full';
  readonly step: string;
  readonly table?: string;
  readonly message: string;
}

/** A pass over fewer rows costs nothing that anyone notices. */
const LARGE = 1_000;

/** What in a plan is slow on large tables. */
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
          message: `all rows of the view ${object.name} are made first`,
        };
      if (object?.type === 'table') {
        const estimate = rowsOf(connection, object);
        if (estimate === undefined || estimate.rows < LARGE) return undefined;
        return {
          kind: 'full-scan',
          table: object.name,
          message: `reads all of ${object.name}, ${rowsText(estimate)}: no index serves its conditions`,
        };
      }
      const sorted = /^USE TEMP B-TREE FOR (.*)$/.exec(step)?.[1];
      if (sorted !== undefined)
        return {
          kind: 'temp-b-tree',
          message: `collects and sorts rows for ${sorted} before the first one is given`,
        };
      if (/ USING AUTOMATIC /.test(step))
        return {
          kind: 'automatic-index',
          message: 'builds an index for this one run: a real one would save that',
        };
      if (step.startsWith('CORRELATED '))
        return { kind: 'correlated-subquery', message: 'runs a subquery again for each row' };
      return undefined;
    })();
    if (warning !== undefined) warnings.push({ ...warning, step });
  }
  return warnings;
}

/** The table or alias that a step reads from end to end, with no index. */
function scannedIn(step: string): string | undefined {
  const [, name] = /^SCAN (.+?)(?: LEFT-JOIN| RIGHT-JOIN| OUTER-JOIN)?$/s.exec(step) ?? [];
  if (name === undefined || name === 'CONSTANT ROW') return undefined;
  return / (?:USING (?:COVERING )?INDEX |VIRTUAL TABLE INDEX )/.test(step) ? undefined : name;
}
