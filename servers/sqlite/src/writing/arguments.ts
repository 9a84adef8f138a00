import * as z from 'zod';
import { databaseArgument, timeoutArgument } from '../arguments.ts';

/** What every tool that runs a caller's changes takes besides their SQL. */
export const changeArguments = {
  database: databaseArgument,
  dry_run: z.boolean().optional().describe('does it, tells what it did, and puts everything back'),
  max_changes: z.int().min(0).optional().describe('puts everything back when more rows are touched'),
  all_rows: z.boolean().optional().describe('an UPDATE or DELETE without WHERE is meant so'),
  undo: z
    .boolean()
    .optional()
    .describe('copy the database first; default: before drops and changes of many rows'),
  timeout_ms: timeoutArgument,
};
