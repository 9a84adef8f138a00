import { basename } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { type Downloaded, download } from '../downloading/download.ts';
import { shortened, shortenedFacts } from '../fetching/fit-output.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  url: z.string(),
  path: z
    .string()
    .optional()
    .describe('file to create, or its folder; default the first root, with the name in the response'),
  overwrite: z.boolean().optional().describe('replace the file at path'),
  expected_sha256: z
    .string()
    .regex(/^[\da-f]{64}$/i, 'a sha256 has 64 hexadecimal digits')
    .optional()
    .describe('saves nothing if it differs'),
  max_bytes: z.int().min(1).optional(),
  resume: z.boolean().optional().describe('continue a failed download of this URL'),
  timeout_ms: z.int().min(1).max(3_600_000).optional().describe('default 600000'),
});

const output = outcome({
  url: pageFields.url,
  final_url: pageFields.final_url,
  status: pageFields.status,
  redirects: pageFields.redirects,
  path: z.string(),
  uri: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  media_type: pageFields.media_type,
  content_type: z.string().optional().describe('by its response'),
  replaced: z.boolean(),
  resumed_from: z.int().optional().describe('bytes kept from an earlier call'),
  restarted: z.string().optional().describe('why kept bytes were discarded'),
  elapsed_ms: pageFields.elapsed_ms,
});

export const downloadTool = tool({
  name: 'download',
  title: 'Download',
  description:
    'Saves the response of a URL as a file in the roots, atomically; replaces a file only with overwrite.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const saved = await download(args, context);
      const { maxOutput } = context.scope;
      const link = linkOf(saved, maxOutput);
      return reply({
        structured: factsOf(saved, maxOutput),
        content: [{ type: 'text', text: textOf(saved, maxOutput) }, ...(link === undefined ? [] : [link])],
      });
    }, context.scope.maxOutput),
});

/** Returns a link to the file, unless its URI takes too much of a result. */
function linkOf({ path, uri, bytes, mediaType }: Downloaded, maxOutput: number) {
  if (shortened(uri, maxOutput / 5) !== uri) return undefined;
  const name = shortened(showName(basename(path)), maxOutput / 8);
  return { type: 'resource_link' as const, uri, name, mimeType: mediaType, size: bytes };
}

function factsOf(saved: Downloaded, maxOutput: number): Record<string, unknown> {
  const { url, finalUrl, status, redirects, path, bytes, sha256, replaced, resumedFrom } = saved;
  const link = linkOf(saved, maxOutput);
  const way = {
    url,
    final_url: finalUrl,
    ...(redirects.length > 0 && { redirects }),
    ...defined({ content_type: saved.contentType }),
  };
  return {
    ...shortenedFacts(way, maxOutput / 4),
    status,
    path: shortened(path, maxOutput / 6),
    ...defined({ uri: link?.uri }),
    bytes,
    sha256,
    media_type: saved.mediaType,
    replaced,
    ...(resumedFrom > 0 && { resumed_from: resumedFrom }),
    ...defined({ restarted: saved.restarted }),
    elapsed_ms: Math.round(saved.elapsedMs),
  };
}

function textOf(saved: Downloaded, maxOutput: number): string {
  const { path, bytes, sha256, mediaType, replaced, resumedFrom, restarted } = saved;
  const verb = replaced ? 'replaced' : 'saved';
  const after = resumedFrom > 0 ? `, ${resumedFrom} of them from an earlier call` : '';
  const name = shortened(showName(path), maxOutput / 6);
  const anew = restarted === undefined ? '' : `; started over: ${restarted}`;
  return `${verb} ${name}: ${bytes} bytes${after}, ${mediaType}, sha256 ${sha256}${anew}`;
}
