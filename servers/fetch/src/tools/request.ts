import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { fitted, shortened } from '../fetching/fit-output.ts';
import { enveloped } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { pageOf } from '../pages/paging.ts';
import { confirmWriting } from '../requesting/confirm.ts';
import { type Answered, send } from '../requesting/send.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  url: z.string(),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  headers: z.record(z.string(), z.string()).optional().describe('without credentials and cookies'),
  body: z.string().optional(),
  json: z.unknown().optional().describe('JSON body'),
  form: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('body in HTML form encoding'),
  max_length: z.int().min(1).max(999_999).optional().describe('characters, default 5000'),
  raw: z.boolean().optional().describe('the source instead of Markdown'),
  timeout_ms: z.int().min(1).max(600_000).optional(),
});

const output = outcome({
  url: pageFields.url,
  method: z.string(),
  final_url: pageFields.final_url,
  status: pageFields.status,
  redirects: pageFields.redirects,
  headers: z.record(z.string(), z.string()),
  kind: pageFields.kind,
  media_type: pageFields.media_type,
  content: z.string(),
  total_length: z.int(),
  truncated: z.boolean(),
  elapsed_ms: pageFields.elapsed_ms,
  untrusted: pageFields.untrusted,
});

type Arguments = z.output<typeof input>;

const USUAL_LENGTH = 5000;
/** The response's header fields in a result. */
const RESPONSE_FIELDS = [
  'allow',
  'content-length',
  'content-location',
  'content-type',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-request-id',
];

export const requestTool = tool({
  name: 'request',
  title: 'Request',
  description:
    'Sends one request, such as POST with JSON, and returns the response as text; never sent twice, never cached.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  ask: confirmWriting,
  run: (args, context) => {
    const { maxOutput } = context.scope;
    return toToolResult(async () => reply(show(await send(args, context), args, maxOutput)), maxOutput);
  },
});

function show({ url, fetched, reading }: Answered, args: Arguments, maxOutput: number) {
  const { method, max_length: maxLength = USUAL_LENGTH } = args;
  const { finalUrl, redirects, status, headers } = fetched;
  const most = maxOutput / 16;
  const facts = {
    url: shortened(url, most),
    method,
    final_url: shortened(finalUrl, most),
    status,
    ...(redirects.length > 0 && {
      redirects: redirects.slice(-5).map((one) => ({ ...one, url: shortened(one.url, most / 4) })),
    }),
    headers: Object.fromEntries(
      RESPONSE_FIELDS.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, shortened(headers[name], most / 8)]],
      ),
    ),
    kind: reading.kind,
    media_type: shortened(reading.mediaType, most),
    elapsed_ms: Math.round(fetched.elapsedMs),
    untrusted: true,
  };
  const { structured, text } = fitted(maxOutput, maxOutput, (maxBytes) => {
    const page = pageOf(reading, { maxLength, maxBytes, verbatim: args.raw === true });
    const truncated = page.next !== undefined;
    const rest = truncated
      ? [`The first ${page.end} of ${page.total} characters; max_length gives more.`]
      : [];
    const contentLines =
      page.text === '' ? [`The response has no text: ${fetched.body.length} bytes.`] : [enveloped(page.text)];
    return {
      structured: { ...facts, content: page.text, total_length: page.total, truncated },
      text: [`${method} ${facts.final_url}: ${status}, ${facts.media_type}`, ...contentLines, ...rest].join(
        '\n',
      ),
    };
  });
  return { structured, content: text };
}
