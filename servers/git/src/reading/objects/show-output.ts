import * as z from 'zod';
import { commitFacts } from '../history/commit-facts.ts';
import { changedFile } from '../patches/changed-files.ts';

const tag = z.object({
  name: z.string(),
  oid: z.string(),
  tagger: z.string().optional().describe('name <email>'),
  date: z.string().optional(),
  message: z.string(),
  signature: z.string().optional().describe('its form; nobody has verified it'),
});

const entry = z.object({ mode: z.string(), type: z.string(), oid: z.string(), name: z.string() });

/** An object, or a page of it: a later page has only its own part. */
export const output = z.object({
  type: z.enum(['commit', 'tree', 'blob']),
  ...commitFacts,
  tree: z.string().optional(),
  encoding: z.string().optional(),
  signature: z.string().optional().describe('its form; nobody has verified it'),
  shallow: z.boolean().optional().describe('a shallow clone ends here: all files are added'),
  message: z.string().optional(),
  tag: tag.optional().describe('the annotated tag that was asked for, and is of this object'),
  files: z.array(changedFile).optional(),
  patch: z.string().optional(),
  cut: z.boolean().optional().describe('the last hunk continues on the next page'),
  entries: z.array(entry).optional(),
  total: z.int().optional().describe('files or entries, on all pages'),
  size: z.int().optional().describe('bytes'),
  binary: z.boolean().optional(),
  content: z.string().optional(),
  lossy: z.boolean().optional().describe('lines that are not UTF-8 are decoded as Latin-1'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

export type Output = z.input<typeof output>;
