import * as z from 'zod';
import { person } from './person.ts';

export const output = z.object({
  path: z.string(),
  commit: z.string().optional().describe('absent: the work tree'),
  runs: z.array(
    z.object({
      start: z.int(),
      count: z.int(),
      commit: z.string().optional().describe('absent: not committed yet'),
      from_line: z.int().describe('where it began in that commit'),
      from_path: z.string().optional().describe('only where it was another'),
    }),
  ),
  commits: z.array(
    z.object({
      oid: z.string(),
      author: person,
      subject: z.string(),
      boundary: z.boolean().optional().describe('history ends here: lines may be older'),
    }),
  ),
  shallow: z.array(z.string()).optional().describe('of these, where a shallow clone ends'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

export type BlameOutput = z.input<typeof output>;
