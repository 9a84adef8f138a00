import * as z from 'zod';

/** Members that many tools share are documented in the README; in every tool's schema they would fill the tool list. */
const common = { unlisted: true };

const hop = z.object({ url: z.string(), status: z.int() }).meta(common);

/** The reason why a page was not returned. */
export const failure = z.object({
  code: z.string(),
  message: z.string().meta(common),
  retryable: z.boolean(),
  hint: z.string().optional(),
  retry_after_ms: z.int().optional(),
  status: z.int().optional(),
  final_url: z.string().optional(),
  redirects: z.array(hop).optional(),
  leads_to: z.string().optional().meta(common),
  elapsed_ms: z.int().optional(),
});

/** The result members of every tool that loads a page. */
export const pageFields = unlisted({
  url: z.string(),
  final_url: z.string(),
  status: z.int(),
  redirects: z.array(hop).optional(),
  leads_to: z.string().optional().describe('target of a redirect that was not followed'),
  title: z.string().optional(),
  kind: z.enum(['html', 'json', 'xml', 'feed', 'csv', 'markdown', 'text', 'pdf', 'image', 'binary']),
  media_type: z.string(),
  charset: z.string().optional(),
  content_hash: z.string(),
  fetched_at: z.string(),
  from: z.enum(['network', 'cache', 'revalidated']),
  age_seconds: z.int(),
  stale: z.boolean().optional(),
  elapsed_ms: z.int(),
  rendered: z.boolean().optional(),
  resource: z.string().optional().describe('URI of the page as a resource'),
  untrusted: z.literal(true),
});

/** Returns the schema of a result with these members, or with `failure` alone. */
export function outcome<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).partial().extend({ failure: failure.optional() });
}

function unlisted<Shape extends Record<string, z.ZodType>>(shape: Shape): Shape {
  const noted = Object.entries(shape).map(([name, schema]) => [name, schema.meta(common)]);
  return Object.fromEntries(noted) as Shape; // the same schemas, each with a note
}
