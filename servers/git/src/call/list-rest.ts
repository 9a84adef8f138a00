import type { Rest } from '@rootbound/kit/budget';
import * as z from 'zod';

/** The members of an output schema that describe the rest of a list. */
export const restFacts = {
  total: z.int().optional().describe('absent: more than were looked at'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
} satisfies Record<keyof Rest, z.ZodType>;
