import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { UndoCopy } from '../copies/undo-copy.ts';
import type { Applied } from './apply.ts';
import type { TableChanges } from './counting.ts';
import type { SchemaChanges } from './schema.ts';

/** What one statement has done, as it leaves the lane. */
export interface AppliedFacts {
  readonly action: string;
  readonly changes: number;
  /** in digits */
  readonly lastInsertRowid?: string;
  readonly tables: readonly TableChanges[];
  readonly uncounted: readonly string[];
  /** the columns of its rows; the first rows are in the part of this number, a line of JSON each */
  readonly columns?: readonly ResultColumn[];
  readonly part?: number;
  readonly rows?: number;
  readonly kept?: number;
}

/** What one or more statements have done. */
export interface ChangeFacts {
  readonly committed: boolean;
  readonly applied: readonly AppliedFacts[];
  readonly schema: SchemaChanges | undefined;
  /** what the foreign keys no longer allow; only a dry run gets there with any */
  readonly violations: readonly string[];
  readonly integrity: string | undefined;
  /** the copy from before, where one was called for */
  readonly copy: UndoCopy | undefined;
  readonly changedTables: readonly string[];
  readonly schemaChanged: boolean;
}

/** The facts of statements, and their rows as parts. */
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

/** The tables that are no longer what they were. */
export function changedTables(done: readonly Applied[], schema: SchemaChanges | undefined): string[] {
  const objects = schema === undefined ? [] : [...schema.added, ...schema.removed, ...schema.changed];
  const names = done.flatMap(({ tables, uncounted }) => [...tables.map(({ table }) => table), ...uncounted]);
  return [...new Set([...names, ...objects.map(({ table }) => table)])].sort();
}
