import { jsonBytes, openCursor, sealCursor } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type ContentBlock, type Reply, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { ENCODING_HELP, encodingName } from '../encodings/names.ts';
import { readLines } from '../text/read.ts';
import { invalidNote, type Reading, type ReadText } from '../text/read-text.ts';
import { assertRange, type Lines } from '../text/window.ts';
import { tool } from '../workspace.ts';

const NAME = 'read_text_file';

const input = z.strictObject({
  path: z.string().describe('absolute, relative to a root, or file:// URI'),
  head: z.int().min(1).optional().describe('first N lines'),
  tail: z.int().min(1).optional().describe('last N lines'),
  startLine: z.int().min(1).optional().describe('from 1'),
  endLine: z.int().min(1).optional().describe('included'),
  cursor: z.string().optional().describe('nextCursor of a truncated result'),
  encoding: z.string().optional().describe(ENCODING_HELP),
  lineNumbers: z.boolean().optional(),
});

const output = z.object({
  path: z.string(),
  text: z.string().describe('unchanged, with line ends'),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  totalLines: z.int().optional().describe('absent if a large file was not read to its end'),
  size: z.int().describe('bytes of the file'),
  encoding: z.string(),
  bom: z.boolean().optional().describe('begins with a byte order mark'),
  lineEnds: z.enum(['crlf', 'mixed']).optional().describe('if not LF'),
  lossy: z.boolean().optional().describe('invalid bytes became U+FFFD'),
  invalidBytes: z.int().optional().describe('in this part'),
  firstInvalid: z.int().optional().describe('offset in the file'),
  etag: z.string().describe('changes when the file changes'),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

export const readTextFile = tool({
  name: NAME,
  title: 'Read text file',
  description: 'Reads a text file: all of it, its first or last lines, or a range.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const lines = linesOf(args);
    const { maxOutput } = context.scope;
    const room = Math.max(LEAST_ROOM, maxOutput - jsonBytes(args.path) - envelopeOf(maxOutput));
    const read = readLines(context.scope, args.path, lines.wanted, room, context, lines.reading);
    return read instanceof Promise
      ? read.then((text) => toReply(args, lines, text, maxOutput))
      : toReply(args, lines, read, maxOutput);
  },
});

/** Least room for text in bytes, even over the size limit. */
const LEAST_ROOM = 64;

/** Returns the maximum size of a result without path and text; a small limit reserves no room for a link. */
function envelopeOf(maxOutput: number): number {
  return maxOutput < 16_384 ? 640 : 1536;
}

interface LineRequest {
  wanted: Lines;
  /** the last requested line, for the cursor */
  end: number;
  reading: Reading | undefined;
}

const LAST = Number.MAX_SAFE_INTEGER;

function linesOf({ head, tail, startLine, endLine, cursor, encoding, lineNumbers }: Arguments): LineRequest {
  const forms = [head, tail, startLine ?? endLine, cursor].filter((form) => form !== undefined);
  if (forms.length > 1) {
    throw new ToolError('set only one of head, tail, startLine with endLine, and cursor', {
      code: 'invalid-arguments',
    });
  }
  const plain = encoding === undefined && lineNumbers !== true;
  const named = encoding === undefined ? undefined : encodingName(encoding);
  const reading = plain ? undefined : { encoding: named, numbers: lineNumbers };
  if (cursor !== undefined) return fromCursor(cursor, reading);
  if (head !== undefined) return { wanted: { kind: 'head', count: head }, end: head, reading };
  if (tail !== undefined) return { wanted: { kind: 'tail', count: tail }, end: LAST, reading };
  if (startLine === undefined && endLine === undefined)
    return { wanted: { kind: 'all' }, end: LAST, reading };
  assertRange(startLine, endLine);
  const end = endLine ?? LAST;
  return { wanted: { kind: 'range', start: startLine ?? 1, end }, end, reading };
}

/** The position in a cursor; `total` is 0 if unknown, `encoding` empty if it was detected. */
type Position = [offset: number, line: number, end: number, etag: string, total: number, encoding: string];

function fromCursor(cursor: string, given: Reading | undefined): LineRequest {
  const [offset, line, end, etag, total, sealed] = openCursor(NAME, cursor, isPosition);
  const encoding = sealed === '' ? undefined : sealed;
  if (given?.encoding !== undefined && given.encoding !== encoding) {
    throw new ToolError(
      'encoding differs from that of the previous part; omit encoding when you set cursor',
      {
        code: 'invalid-arguments',
      },
    );
  }
  const known = total === 0 ? undefined : total;
  const reading = encoding === undefined ? given : { ...given, encoding };
  return { wanted: { kind: 'from', offset, line, end, etag, total: known }, end, reading };
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [offset, line, end, etag, total, encoding]: unknown[] = value;
  if (!isCount(offset) || !isCount(line) || !isCount(end) || !isCount(total)) return false;
  if (typeof etag !== 'string' || typeof encoding !== 'string') return false;
  return line >= 1 && end >= line;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function toReply(
  { path }: Arguments,
  wanted: LineRequest,
  read: ReadText,
  maxOutput: number,
): Reply | Promise<Reply> {
  const nextCursor = nextCursorOf(read, wanted);
  const structured: Output = {
    path,
    text: read.text as unknown as string, // Utf8Text is written as a JSON string
    ...defined({ startLine: read.startLine, endLine: read.endLine, totalLines: read.totalLines }),
    size: read.file.stat.size,
    encoding: read.encoding,
    ...(read.marked && { bom: true }),
    ...defined({ lineEnds: read.lineEnds }),
    ...(read.invalid !== undefined && {
      lossy: true,
      invalidBytes: read.invalid.bytes,
      firstInvalid: read.invalid.first,
    }),
    etag: read.etag,
    truncated: !read.complete,
    ...defined({ nextCursor }),
  };
  const content = contentOf(read, nextCursor);
  if (read.complete) return reply({ structured, content });
  return import('../text/link.ts').then(({ linksBeside, linkTo }) =>
    reply({ structured, content: [...content, ...linksBeside(content, [linkTo(read.file)], maxOutput)] }),
  );
}

/** Returns the cursor of the next part; undefined for a tail, which is cut at its start. */
function nextCursorOf(read: ReadText, { wanted, end, reading }: LineRequest): string | undefined {
  if (read.complete || wanted.kind === 'tail') return undefined;
  if (read.startLine === undefined || read.endLine === undefined) return undefined;
  const endsLine = read.text.endsWithNewline;
  const line = endsLine ? read.endLine + 1 : Math.max(read.endLine, read.startLine);
  return sealCursor(NAME, [read.next, line, end, read.etag, read.totalLines ?? 0, reading?.encoding ?? '']);
}

function contentOf(read: ReadText, nextCursor: string | undefined): ContentBlock[] {
  const { complete, startLine, endLine, totalLines, invalid } = read;
  const whole = complete && startLine === 1 && endLine === totalLines && invalid === undefined;
  const text = { type: 'text' as const, text: (read.numbered ?? read.text) as unknown as string }; // as above
  if (whole) return [text];
  const notes = [rangeOf(read)];
  if (invalid !== undefined) notes.push(invalidNote(invalid));
  if (!complete) {
    notes.push(
      nextCursor === undefined
        ? cutTailNote(read)
        : `cut at the size limit; continue with cursor ${nextCursor}`,
    );
  }
  return [text, { type: 'text', text: `[${notes.join('; ')}]` }];
}

function cutTailNote({ startLine }: ReadText): string {
  const cut = 'earlier lines are cut at the size limit';
  return startLine === undefined
    ? `${cut}; set a smaller tail`
    : `${cut}; set startLine, and endLine ${startLine}, to read them`;
}

function rangeOf({ startLine, endLine, totalLines, file }: ReadText): string {
  const total = totalLines === undefined ? `a file of ${file.stat.size} bytes` : String(totalLines);
  if (startLine === undefined || endLine === undefined) return `last lines of ${total}`;
  if (endLine < startLine) return `no lines from line ${startLine}, of ${total}`;
  return `lines ${startLine}-${endLine} of ${total}`;
}
