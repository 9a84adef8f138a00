import * as z from 'zod';

/** The database argument; optional where the roots hold one database. */
export const databaseArgument = z
  .string()
  .optional()
  .describe('path of the database; optional if there is only one');

/** Milliseconds that a call may take. */
export const timeoutArgument = z.int().min(1).max(600_000).optional();

/** The cursor of the previous page. */
export const cursorArgument = z.string().optional();

/** Values of a statement's parameters. */
export const paramsArgument = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .optional()
  .describe(
    'values for ? by position, or for :name by name; {"$int": "…"} and {"$blob": "<base64>"} for values JSON lacks',
  );

/** Default time limit of calls that read a whole file or database and report progress, ms. */
export const WHOLE_MS = 600_000;
