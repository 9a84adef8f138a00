import type { Format } from '../formats/format.ts';
import type { Encoding } from '../formats/text.ts';
import type { Taken } from '../undo/take.ts';

/** What happens to a row whose key is there already. */
export const conflicts = ['abort', 'ignore', 'replace', 'update'] as const;

export type OnConflict = (typeof conflicts)[number];

/** What is to be imported and how; a script of SQL has no table. */
export interface ImportPlan {
  readonly format: Format;
  readonly table?: string;
  /** columns of the file, and which of the table each is; with `create` its type may follow */
  readonly columns?: Readonly<Record<string, string>>;
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

/** A row that was left out. */
export interface Reject {
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
}

export interface Imported {
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
  readonly copy?: Taken;
}
