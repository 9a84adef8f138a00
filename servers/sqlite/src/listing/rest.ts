import type { Rest } from '@rootbound/kit/budget';
import * as z from 'zod';

/** What every page says of the rest, as members of an output schema. */
export const restFacts = {
  total: z.int().optional().describe('absent: more than were looked at'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
} satisfies Record<keyof Rest, z.ZodType>;
