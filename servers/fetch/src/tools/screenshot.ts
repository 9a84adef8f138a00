import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../admitting/ask-to-fetch.ts';
import { answering } from '../fetching/answering.ts';
import { outcome, pageFields } from '../fetching/schemas.ts';
import { takeScreenshot } from '../fetching/take-screenshot.ts';
import { tool } from '../workspace.ts';

const side = z.int().min(16).max(4000).optional();

const input = z.strictObject({
  url: z.string(),
  full_page: z.boolean().optional().describe('the whole page instead of what a window shows'),
  selector: z.string().optional().describe('CSS selector: only that element'),
  width: side.describe('of the window, default 1280'),
  height: side.describe('default 800'),
  wait_for: z.string().optional().describe('CSS selector that the page must have'),
  timeout_ms: z.int().min(1).max(600_000).optional(),
});

const output = outcome({
  url: pageFields.url,
  final_url: pageFields.final_url,
  status: pageFields.status,
  redirects: pageFields.redirects,
  title: pageFields.title,
  media_type: pageFields.media_type,
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  scale: z.number().describe('1 unless it had to be made smaller'),
  truncated: z.boolean().describe('the page goes on where the picture ends'),
  elapsed_ms: pageFields.elapsed_ms,
  untrusted: pageFields.untrusted,
});

export const screenshotTool = tool({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'A picture of a page as a browser shows it.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    answering(async () => reply(await takeScreenshot(args, context)), context.scope.maxOutput),
});
