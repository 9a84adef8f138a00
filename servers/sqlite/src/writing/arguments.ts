import * as z from 'zod';
import { databaseArgument, timeoutArgument } from '../arguments.ts';

/** Arguments of every tool that runs changes, besides the SQL. */
export const changeArguments = {
  database: databaseArgument,
  dry_run: z.boolean().optional().describe('runs, reports the effects, and rolls back'),
  max_changes: z.int().min(0).optional().describe('rolls back if more rows are touched'),
  all_rows: z.boolean().optional().describe('allows UPDATE or DELETE without WHERE'),
  undo: z
    .boolean()
    .optional()
    .describe('copy the database first; default: before drops and changes of many rows'),
  timeout_ms: timeoutArgument,
};
