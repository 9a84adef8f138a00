import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { UndoCopy } from '../copies/undo-copy.ts';
import type { Applied } from './apply.ts';
import type { TableChanges } from './counting.ts';
import type { SchemaChanges } from './schema.ts';

/** The effects of one statement as sent to the server. */
export interface AppliedFacts {
  readonly action: string;
  readonly changes: number;
  /** decimal digits */
  readonly lastInsertRowid?: string;
  readonly tables: readonly TableChanges[];
  readonly uncounted: readonly string[];
  /** columns of its rows; the first rows are in part number `part`, one line of JSON each */
  readonly columns?: readonly ResultColumn[];
  readonly part?: number;
  readonly rows?: number;
  readonly kept?: number;
}

/** The effects of one or more statements. */
export interface ChangeFacts {
  readonly committed: boolean;
  readonly applied: readonly AppliedFacts[];
  readonly schema: SchemaChanges | undefined;
  /** violated foreign keys; only a dry run returns any */
  readonly violations: readonly string[];
  readonly integrity: string | undefined;
  /** the undo copy, if one was requested */
  readonly copy: UndoCopy | undefined;
  readonly changedTables: readonly string[];
  readonly schemaChanged: boolean;
}

/** Returns the facts of statements, and their rows as parts. */
export function appliedFacts(done: readonly (Applied & { readonly action: string })[]): {
  applied: AppliedFacts[];
  parts: Buffer[];
} {
  const parts: Buffer[] = [];
  const applied = done.map(
    ({ action, changes, lastInsertRowid, tables, uncounted, returned }): AppliedFacts => {
      const facts = {
        action,
        changes,
        tables,
        uncounted,
        ...(lastInsertRowid !== undefined && { lastInsertRowid: String(lastInsertRowid) }),
      };
      if (returned === undefined) return facts;
      const { columns, rows, total } = returned;
      const part = parts.push(Buffer.from(rows.join('\n'))) - 1;
      return { ...facts, columns, part, rows: total, kept: rows.length };
    },
  );
  return { applied, parts };
}

/** Returns the tables that have changed. */
export function changedTables(done: readonly Applied[], schema: SchemaChanges | undefined): string[] {
  const objects = schema === undefined ? [] : [...schema.added, ...schema.removed, ...schema.changed];
  const names = done.flatMap(({ tables, uncounted }) => [...tables.map(({ table }) => table), ...uncounted]);
  return [...new Set([...names, ...objects.map(({ table }) => table)])].sort();
}
