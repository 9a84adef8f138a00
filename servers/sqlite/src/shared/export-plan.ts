import type { Format } from './formats.ts';
import type { Params } from './sql/parameters.ts';

/** What is to be written: the rows of a query, a table, or with neither the whole database. */
export interface ExportPlan {
  readonly format: Format;
  /** a query that has passed the checks */
  readonly sql?: string;
  readonly params?: Params;
  readonly table?: string;
  readonly delimiter: string;
  /** read every text as bytes, since some are not UTF-8 */
  readonly bytes: boolean;
}

export interface Exported {
  readonly rows: number;
  /** texts that are not UTF-8 and were written with replacement characters */
  readonly replaced: number;
  /** what could not be written, one line each */
  readonly leftOut: readonly string[];
}

/** The failure of a reading that has met text which is not UTF-8; it has to begin anew with `bytes`. */
export const NEEDS_BYTES = 'needs-bytes';
