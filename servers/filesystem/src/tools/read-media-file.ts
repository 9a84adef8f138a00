import { assertOneName, etagOf, openFile, showPath } from '@rootbound/kit/boundary';
import { mediaTypeOf, SAMPLE_BYTES } from '@rootbound/kit/media';
import { type ContentBlock, type Reply, reply, Utf8Text } from '@rootbound/protocol';
import * as z from 'zod';
import { base64Length, type Range, readBytes, toBase64 } from '../text/bytes.ts';
import { linksBeside, linkTo, uriOf } from '../text/link.ts';
import type { ReadFile } from '../text/read-text.ts';
import { tool } from '../workspace.ts';

/** Images and sounds up to this size in base64 are returned whole, even over the size limit, as a part is of no use. */
const WHOLE_BASE64 = 4.75 * 1024 * 1024;
/** Maximum size of a result without data, path and URI, and of a link without URI and name. */
const ENVELOPE_BYTES = 400;
/** Below this size limit no room is reserved for the link to the whole file. */
const LINKED_BYTES = 16_384;

const input = z.strictObject({
  path: z.string(),
  offset: z.int().min(0).optional().describe('first byte, from 0'),
  length: z.int().min(1).optional(),
});

const output = z.object({
  path: z.string(),
  mimeType: z.string(),
  data: z.string().optional().describe('base64; of a large image or sound only in the content'),
  size: z.int().describe('of the file'),
  offset: z.int(),
  bytes: z.int(),
  truncated: z.boolean(),
  nextOffset: z.int().optional(),
  etag: z.string(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

export const readMediaFile = tool({
  name: 'read_media_file',
  title: 'Read media file',
  description:
    'Reads any file, such as an image or a sound, as base64 with its type; offset and length select a part.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, context) {
    const { path } = args;
    const { scope, maxOutput, changes } = context.scope;
    const opened = openFile(scope, path);
    try {
      const room = roomFor(path, uriOf(opened), maxOutput);
      const rangeOf = ({ size }: { size: number }, sample: Buffer): Range => {
        const mimeType = mediaTypeOf(sample, opened.path);
        if (!isPart(args)) return { offset: 0, length: fitsWhole(mimeType, size, room) ? size : 0 };
        const { offset = 0, length = size } = args;
        return { offset, length: Math.min(length, bytesIn(room)) };
      };
      assertOneName(opened.stat, path, changes.hardLinks);
      const { bytes, sample, stat } = await readBytes(opened, path, SAMPLE_BYTES, rangeOf, context);
      const file = { path: opened.path, root: opened.root, stat };
      const mimeType = mediaTypeOf(sample, opened.path);
      if (!isPart(args) && bytes.length < stat.size) return tooLarge(path, file, mimeType, maxOutput);
      return await toReply(args, file, { mimeType, bytes, room, maxOutput });
    } finally {
      opened.close();
    }
  },
});

function isPart({ offset, length }: Arguments): boolean {
  return offset !== undefined || length !== undefined;
}

function roomFor(path: string, uri: string, maxOutput: number): number {
  const names = Math.max(Buffer.byteLength(JSON.stringify(path)), Buffer.byteLength(uri));
  const link = maxOutput < LINKED_BYTES ? 0 : names + ENVELOPE_BYTES;
  return Math.max(4, maxOutput - ENVELOPE_BYTES - names - link);
}

/** Returns the number of bytes that fit as base64: a multiple of three, so that parts can be concatenated. */
function bytesIn(room: number): number {
  return Math.floor(room / 4) * 3;
}

function fitsWhole(mimeType: string, size: number, room: number): boolean {
  return base64Length(size) <= (isBlock(mimeType) ? Math.max(room, WHOLE_BASE64) : room);
}

/** Returns whether models accept this type as an image or sound; they do not accept SVG. */
function isBlock(mimeType: string): boolean {
  return mimeType.startsWith('audio/') || (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml');
}

interface Part {
  mimeType: string;
  bytes: Buffer;
  room: number;
  maxOutput: number;
}

async function toReply(args: Arguments, file: ReadFile, part: Part): Promise<Reply> {
  const { mimeType, bytes, room, maxOutput } = part;
  const { path, offset = 0, length = Number.POSITIVE_INFINITY } = args;
  const { size } = file.stat;
  const text = new Utf8Text(await toBase64(bytes));
  await text.prepare();
  const data = text as unknown as string; // Utf8Text is written as a JSON string
  const end = offset + bytes.length;
  // a large image is only in the content half
  const inBoth = text.byteLength <= room;
  const truncated = !inBoth || end < Math.min(size, offset + length);
  const given = inBoth ? bytes.length : 0;
  const structured: Output = {
    path,
    mimeType,
    ...(inBoth && { data }),
    size,
    offset,
    bytes: given,
    truncated,
    ...(truncated && { nextOffset: offset + given }),
    etag: etagOf(file.stat),
  };
  if (bytes.length === size) return reply({ structured, content: [blockOf(mimeType, data, file)] });
  const note = { type: 'text' as const, text: `[${noteOf(offset, end, size, truncated)}]` };
  const content = (blob: string): ContentBlock[] => [blockOf('application/octet-stream', blob, file), note];
  const whole = truncated ? [linkTo(file, mimeType)] : [];
  const links = linksBeside(content(''), whole, maxOutput - text.byteLength);
  return reply({ structured, content: [...content(data), ...links] });
}

function noteOf(offset: number, end: number, size: number, truncated: boolean): string {
  if (offset >= size) return `no bytes from offset ${offset}: the file has ${size} bytes`;
  const range = `bytes ${offset}-${end - 1} of ${size}`;
  return truncated ? `${range}; cut at the size limit, continue with offset ${end}` : range;
}

function blockOf(mimeType: string, data: string, file: ReadFile): ContentBlock {
  if (isBlock(mimeType))
    return mimeType.startsWith('image/')
      ? { type: 'image', mimeType, data }
      : { type: 'audio', mimeType, data };
  return { type: 'resource', resource: { uri: uriOf(file), mimeType, blob: data } };
}

/** Returns the error for a whole file over the size limit, with a link to it. */
function tooLarge(path: string, file: ReadFile, mimeType: string, maxOutput: number): Reply {
  const { size } = file.stat;
  const limit = isBlock(mimeType) ? Math.max(WHOLE_BASE64, maxOutput) : maxOutput;
  const text = `too large: ${showPath(path)} has ${size} bytes, and base64 of it exceeds the limit of ${limit}
set offset and length to read it in parts`;
  const content: ContentBlock[] = [{ type: 'text', text }];
  return reply({
    isError: true,
    content: [...content, ...linksBeside(content, [linkTo(file, mimeType)], maxOutput)],
    _meta: { failure: { code: 'too-large', retryable: false } },
  });
}
