import * as z from 'zod';

/** Said by many tools, so that it would be most of their list: the README has it. */
const common = { unlisted: true };

const hop = z.object({ url: z.string(), status: z.int() }).meta(common);

/** Why a page could not be had. */
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

/** How a page came. */
export const told = {
  url: z.string().meta(common),
  final_url: z.string().meta(common),
  status: z.int().meta(common),
  redirects: z.array(hop).optional().meta(common),
  leads_to: z.string().optional().describe('where a redirect leads that was not followed').meta(common),
  title: z.string().optional().meta(common),
  kind: z
    .enum(['html', 'json', 'xml', 'feed', 'csv', 'markdown', 'text', 'pdf', 'image', 'binary'])
    .meta(common),
  media_type: z.string().meta(common),
  charset: z.string().optional().meta(common),
  content_hash: z.string().meta(common),
  fetched_at: z.string().meta(common),
  from: z.enum(['network', 'cache', 'revalidated']).meta(common),
  age_seconds: z.int().meta(common),
  stale: z.boolean().optional().meta(common),
  elapsed_ms: z.int().meta(common),
  rendered: z.boolean().optional().meta(common),
  resource: z.string().optional().describe('URI of the page as a resource').meta(common),
  untrusted: z.literal(true).meta(common),
};

/** A result with these members, or `failure` alone. */
export function outcome<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).partial().extend({ failure: failure.optional() });
}
