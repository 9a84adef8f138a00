import * as z from 'zod';

/** The database of a call; it may be left out where there is one. */
export const databaseArgument = z
  .string()
  .optional()
  .describe('path of the database; may be left out where there is one');

/** How long a call may take. */
export const timeoutArgument = z.int().min(1).max(600_000).optional();

/** Where a page goes on. */
export const cursorArgument = z.string().optional();

/** Values for the parameters of a statement. */
export const paramsArgument = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .optional()
  .describe(
    'values for ? by position, or for :name by name; {"$int": "…"} and {"$blob": "<base64>"} for what JSON lacks',
  );

/** How long a call may take that goes through a whole file or database, unless it says otherwise: it tells how far it is. */
export const WHOLE_MS = 600_000;
