import * as z from 'zod';

export const urlArgument = z.string().describe('http or https address');

/** Which page a call means, and how old it may be. */
export const pageArguments = {
  url: urlArgument,
  selector: z.string().optional().describe('CSS selector: only what it matches is read'),
  max_age: z
    .int()
    .min(0)
    .optional()
    .describe('seconds: what was fetched that long ago will do; 0 asks the origin again'),
  cache_only: z.boolean().optional().describe('never ask the origin'),
  render: z.boolean().optional().describe('let a browser run its scripts; needs --browser'),
  wait_for: z.string().optional().describe('CSS selector that the rendered page must have'),
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
