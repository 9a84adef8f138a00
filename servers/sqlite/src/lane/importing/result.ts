import type { Types } from '../../shared/import-plan.ts';
import type { UndoCopy } from '../copies/undo-copy.ts';
import type { Renamed } from './columns.ts';

/** A row that was not imported. */
export interface Reject {
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
}

/** A column that receives values. */
export interface ImportedColumn {
  readonly name: string;
  readonly type: string;
  /** its name in the file, if different */
  readonly from?: string;
}

/** The values of a column that its type altered. */
export interface Altered {
  readonly column: string;
  readonly count: number;
  readonly first: { readonly line: number; readonly from: string; readonly to: string }[];
}

/** A TEXT column whose cells are all numbers. */
export interface KeptAsText {
  readonly column: string;
  /** line of the cell because of which it is TEXT */
  readonly line: number;
  readonly value: string;
  /** the numeric type that the caller may request */
  readonly ask: string;
}

/** Notes on the columns of an imported file. */
export interface ColumnNotes {
  /** for a new table and in a dry run */
  readonly columns?: ImportedColumn[];
  readonly renamed?: Renamed[];
  /** columns of the file that were not imported */
  readonly not_imported?: string[];
  readonly altered?: Altered[];
  /** number of altered values */
  readonly altered_count?: number;
  readonly kept_as_text?: KeptAsText[];
  /** REAL columns that drop trailing zeros of their decimals */
  readonly zeros_dropped?: { readonly column: string; readonly decimals: number }[];
  /** in a dry run, the first rows as stored */
  readonly first_rows?: Record<string, unknown>[];
}

export interface Imported extends ColumnNotes {
  readonly inserted: number;
  readonly updated: number;
  /** rows that a script deleted */
  readonly deleted?: number;
  /** rows whose key existed already, with `ignore` */
  readonly ignored: number;
  /** number of rejected rows, and the first of them */
  readonly rejected: number;
  readonly rejects: readonly Reject[];
  readonly table?: string;
  /** whether the table was created */
  readonly created: boolean;
  /** number of statements of a script */
  readonly statements?: number;
  /** tables that were written */
  readonly tables: readonly string[];
  readonly schema: boolean;
  /** the undo copy */
  readonly copy?: UndoCopy;
  /** set if nothing was imported: the types that all rows need, to start again with */
  readonly retryWithTypes?: Types;
}
