import type { Encoding, Format } from './formats.ts';

/** What happens to a row whose key is there already. */
export const conflicts = ['abort', 'ignore', 'replace', 'update'] as const;

export type OnConflict = (typeof conflicts)[number];

/** What is to be imported and how; a script of SQL has no table. */
export interface ImportPlan {
  readonly format: Format;
  readonly table?: string;
  /** columns of the file, and which of the table each is; with `create` its type may follow */
  readonly columns?: Readonly<Record<string, string>>;
  /** the types that all rows of the file have shown, by the names of the file */
  readonly types?: Types;
  /** make the table */
  readonly create: boolean;
  readonly onConflict: OnConflict;
  /** whether the first record of CSV names the columns */
  readonly header: boolean;
  readonly delimiter: string;
  readonly encoding?: Encoding;
  readonly dryRun: boolean;
  /** as many rows may be left out */
  readonly maxRejects: number;
  /** bytes of the file */
  readonly bytes: number;
  /** where the content from before goes, where the import may take rows away */
  readonly undo?: string;
}

/** The types of the columns of a file, in order. */
export type Types = readonly (readonly [name: string, type: ColumnType])[];

/** A type of a column of a STRICT table. */
export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' | 'ANY';
