import type { Encoding, Format } from './formats.ts';

/** Actions for a row whose key exists already. */
export const conflicts = ['abort', 'ignore', 'replace', 'update'] as const;

export type OnConflict = (typeof conflicts)[number];

/** The options of an import; a script of SQL has no table. */
export interface ImportPlan {
  readonly format: Format;
  readonly table?: string;
  /** the table's column for each column of the file; with `create` it may include a type */
  readonly columns?: Readonly<Record<string, string>>;
  /** column types found by a previous read of all rows */
  readonly types?: Types;
  /** whether to create the table */
  readonly create: boolean;
  readonly onConflict: OnConflict;
  /** whether the first record of CSV names the columns */
  readonly header: boolean;
  readonly delimiter: string;
  readonly encoding?: Encoding;
  readonly dryRun: boolean;
  /** most rows that may be rejected */
  readonly maxRejects: number;
  /** size of the file, bytes */
  readonly bytes: number;
  /** path of the undo copy, if the import may delete or replace rows */
  readonly undo?: string;
}

/** The types of the columns of a file in order, by their names in the file. */
export type Types = readonly (readonly [name: string, type: ColumnType])[];

/** A column type of a STRICT table. */
export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' | 'ANY';
