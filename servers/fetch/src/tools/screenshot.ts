import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { takeScreenshot } from '../fetching/take-screenshot.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { tool } from '../workspace.ts';

const side = z.int().min(16).max(4000).optional();

const input = z.strictObject({
  url: z.string(),
  full_page: z.boolean().optional().describe('the whole page instead of the viewport'),
  selector: z.string().optional().describe('CSS selector: only that element'),
  width: side.describe('of the viewport, default 1280'),
  height: side.describe('default 800'),
  wait_for: z.string().optional().describe('CSS selector to wait for'),
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
  scale: z.number().describe('below 1 if the picture was reduced'),
  truncated: z.boolean().describe('the page continues beyond the picture'),
  elapsed_ms: pageFields.elapsed_ms,
  untrusted: pageFields.untrusted,
});

export const screenshotTool = tool({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'A screenshot of a page in a browser.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => reply(await takeScreenshot(args, context)), context.scope.maxOutput),
});
