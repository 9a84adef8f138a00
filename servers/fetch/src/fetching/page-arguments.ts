import * as z from 'zod';

/** The arguments that select a page and its maximum age. */
export const pageArguments = {
  url: z.string(),
  selector: z.string().optional().describe('CSS selector of the part to read'),
  max_age: z.int().min(0).optional().describe('maximum age in seconds; 0 revalidates'),
  cache_only: z.boolean().optional().describe('use only the cache'),
  render: z.boolean().optional().describe('run its scripts in a browser; needs --browser'),
  wait_for: z.string().optional().describe('CSS selector to wait for'),
  timeout_ms: z.int().min(1).max(600_000).optional(),
};

export interface PageArguments {
  readonly url: string;
  readonly selector?: string | undefined;
  readonly max_age?: number | undefined;
  readonly cache_only?: boolean | undefined;
  readonly render?: boolean | undefined;
  readonly wait_for?: string | undefined;
  readonly timeout_ms?: number | undefined;
}
