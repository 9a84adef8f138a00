import type { Types } from '../../shared/import-plan.ts';
import type { UndoCopy } from '../copies/undo-copy.ts';
import type { Renamed } from './columns.ts';

/** A row that was left out. */
export interface Reject {
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
}

/** A column that the rows go to. */
export interface ImportedColumn {
  readonly name: string;
  readonly type: string;
  /** its name in the file, where that is another one */
  readonly from?: string;
}

/** The values of a column that are not what they were in the file. */
export interface Altered {
  readonly column: string;
  readonly count: number;
  readonly first: { readonly line: number; readonly from: string; readonly to: string }[];
}

/** A column that is TEXT though all of its cells are numbers. */
export interface KeptAsText {
  readonly column: string;
  /** the cell for which it is */
  readonly line: number;
  readonly value: string;
  /** the type that makes it a column of numbers, where the caller names it */
  readonly ask: string;
}

/** What became of the columns of a file of rows. */
export interface ColumnNotes {
  /** of a new table, or in a dry run */
  readonly columns?: ImportedColumn[];
  readonly renamed?: Renamed[];
  /** columns of the file that were left out, and how many more there are */
  readonly not_imported?: string[];
  readonly altered?: Altered[];
  /** how many values are not what they were */
  readonly altered_count?: number;
  readonly kept_as_text?: KeptAsText[];
  /** columns of REAL that do not keep the zeros at the end of their decimals */
  readonly zeros_dropped?: { readonly column: string; readonly decimals: number }[];
  /** of a dry run, the first rows as they would be stored */
  readonly first_rows?: Record<string, unknown>[];
}

export interface Imported extends ColumnNotes {
  readonly inserted: number;
  readonly updated: number;
  /** rows that a script has deleted */
  readonly deleted?: number;
  /** rows whose key was there already, with `ignore` */
  readonly ignored: number;
  /** how many rows were left out, and the first of them */
  readonly rejected: number;
  readonly rejects: readonly Reject[];
  readonly table?: string;
  /** the table was made */
  readonly created: boolean;
  /** of a script, how many statements were run */
  readonly statements?: number;
  /** what was written to */
  readonly tables: readonly string[];
  readonly schema: boolean;
  /** what was copied before */
  readonly copy?: UndoCopy;
  /** nothing was imported: these are the types that all rows have, and not those that the first ones suggested */
  readonly retryWithTypes?: Types;
}
