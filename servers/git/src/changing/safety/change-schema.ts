import * as z from 'zod';

/** The commit at which the caller expects HEAD. */
export const expectedHead = z.string().optional();

/** The caller's consent to a change without an undo, for clients that cannot ask their user. */
export const confirmed = z.boolean().optional().describe('the user agreed to what is lost');

/** True to report the change without making it. */
export const dryRun = z.boolean().optional();

/** The notice of hooks that did not run. */
export const hooks = z.string().optional().describe('those that did not run, and why');

/** The members of every change's result: HEAD before and after, and the undo. */
export const changed = {
  branch: z.string().optional().describe('absent: HEAD is detached'),
  before: z.string().optional().describe('the commit of HEAD; absent: none yet'),
  after: z.string().optional().describe('absent: HEAD did not move'),
  undo: z.string().optional().describe('the undo; absent: there is none'),
  hooks,
};

export interface Changed {
  branch?: string;
  before?: string;
  after?: string;
  undo?: string;
  hooks?: string;
}
