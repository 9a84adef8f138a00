import { etagOf, openFile, toFileUri } from '@rootbound/kit/boundary';
import { type ContentBlock, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { mediaTypeOf } from '../text/media.ts';
import { readAt } from '../text/window.ts';
import { tool } from '../workspace.ts';

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
      if (base64Length(size) > maxOutput) {
        throw new ToolError(
          `too large: ${path} has ${size} bytes, and base64 of it exceeds the limit of ${maxOutput}`,
          {
            code: 'too-large',
            hint: 'raise --max-output, or read a smaller file',
          },
        );
      }
      const bytes = readAt(file.fd, 0, size);
      const mimeType = mediaTypeOf(bytes, path);
      const data = bytes.toString('base64');
      return reply({
        structured: { path, mimeType, data, size, etag: etagOf(file.stat) },
        content: [toBlock(mimeType, data, toFileUri(file.path))],
      });
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

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
