import type { Format } from './formats.ts';
import type { Params } from './sql/parameters.ts';

/** The rows of a query or of a table to export, or, with neither, the whole database. */
export interface ExportPlan {
  readonly format: Format;
  /** a query that has passed checkStatement */
  readonly sql?: string;
  readonly params?: Params;
  readonly table?: string;
  readonly delimiter: string;
  /** whether to read text as bytes, since some is not UTF-8 */
  readonly bytes: boolean;
}

export interface Exported {
  readonly rows: number;
  /** number of texts that are not UTF-8, written with replacement characters */
  readonly replaced: number;
  /** content that could not be written, one line each */
  readonly leftOut: readonly string[];
}

/** Code of the failure of an export that found text that is not UTF-8; it has to restart with `bytes`. */
export const NEEDS_BYTES = 'needs-bytes';
