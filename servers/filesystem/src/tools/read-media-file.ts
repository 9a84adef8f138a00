import { etagOf, openFile, toFileUri } from '@rootbound/kit/boundary';
import { type ContentBlock, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { mediaTypeOf } from '../text/media.ts';
import { readAt } from '../text/window.ts';
import { tool } from '../workspace.ts';

/** More than any signature needs. */
const HEADER_BYTES = 64;

interface Result {
  structured: { path: string; mimeType: string; data: string; size: number; etag: string };
  content: ContentBlock[];
}

export const readMediaFile = tool({
  name: 'read_media_file',
  title: 'Read media file',
  description:
    'Returns the bytes of an image, audio or any binary file in base64; the type is told by content. ' +
    'Files over the size limit are refused.',
  input: z.strictObject({ path: z.string() }),
  output: z.object({
    path: z.string(),
    mimeType: z.string(),
    data: z.string().describe('base64'),
    size: z.int().describe('bytes of the file'),
    etag: z.string(),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ path }, { scope: { scope, maxOutput } }) {
    const file = openFile(scope, path);
    try {
      const { size } = file.stat;
      const mimeType = mediaTypeOf(readAt(file.fd, 0, Math.min(size, HEADER_BYTES)), path);
      const resultOf = (data: string): Result => ({
        structured: { path, mimeType, data, size, etag: etagOf(file.stat) },
        content: [toBlock(mimeType, data, toFileUri(file.path))],
      });
      const base64 = base64Length(size);
      if (base64 + bytesOf(resultOf('')) > maxOutput) {
        const what = base64 > maxOutput ? 'base64 of it' : 'base64 of it with its path and type';
        throw new ToolError(
          `too large: ${path} has ${size} bytes, and ${what} exceeds the limit of ${maxOutput}`,
          {
            code: 'too-large',
            hint: 'raise --max-output, or read a smaller file',
          },
        );
      }
      return reply(resultOf(readAt(file.fd, 0, size).toString('base64')));
    } finally {
      file.close();
    }
  },
});

function toBlock(mimeType: string, data: string, uri: string): ContentBlock {
  if (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml') return { type: 'image', mimeType, data };
  if (mimeType.startsWith('audio/')) return { type: 'audio', mimeType, data };
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}

/** Bytes of the larger half. */
function bytesOf({ structured, content }: Result): number {
  return Math.max(...[structured, content].map((half) => Buffer.byteLength(JSON.stringify(half))));
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
