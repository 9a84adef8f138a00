import { jsonBytes, openCursor, sealCursor } from '@rootbound/kit/budget';
import { type Rendered, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { type ReadText, readLines } from '../text/read.ts';
import { assertRange, type Lines } from '../text/window.ts';
import { tool } from '../workspace.ts';

const NAME = 'read_text_file';

const input = z.strictObject({
  path: z.string().describe('absolute path, path relative to a root, or file:// URI'),
  head: z.int().min(1).optional().describe('only the first N lines'),
  tail: z.int().min(1).optional().describe('only the last N lines'),
  startLine: z.int().min(1).optional().describe('first line of a range, from 1'),
  endLine: z.int().min(1).optional().describe('last line of a range, included'),
  cursor: z.string().optional().describe('nextCursor of a result that was truncated'),
});

const output = z.object({
  path: z.string(),
  text: z.string().describe('the lines as they are in the file, line ends included'),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  totalLines: z.int().optional().describe('absent when a large file was not read to its end'),
  size: z.int().describe('bytes of the file'),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
  lossy: z.boolean().optional().describe('invalid bytes are shown as U+FFFD'),
  etag: z.string().describe('changes when the file changes'),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

export const readTextFile = tool({
  name: NAME,
  title: 'Read text file',
  description:
    'Reads a text file: all of it, its first or last lines (head, tail), or a range (startLine, endLine). ' +
    'A result over the size limit is cut at a line; pass nextCursor as cursor to go on.',
  input,
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run(args, context) {
    const lines = linesOf(args);
    const room = Math.max(LEAST_ROOM, context.scope.maxOutput - jsonBytes(args.path) - ENVELOPE_BYTES);
    const read = readLines(context.scope, args.path, lines.wanted, room, context);
    return read instanceof Promise
      ? read.then((text) => toReply(args, lines, text))
      : toReply(args, lines, read);
  },
});

/** What a result holds at most besides its path and text. */
const ENVELOPE_BYTES = 640;
/** Some text is always given, however little the limit leaves. */
const LEAST_ROOM = 64;

interface Wanted {
  wanted: Lines;
  /** the last line wanted, for the cursor */
  end: number;
}

const LAST = Number.MAX_SAFE_INTEGER;

function linesOf({ head, tail, startLine, endLine, cursor }: Arguments): Wanted {
  const forms = [head, tail, startLine ?? endLine, cursor].filter((form) => form !== undefined);
  if (forms.length > 1) {
    throw new ToolError('give only one of head, tail, startLine with endLine, and cursor', {
      code: 'invalid-arguments',
    });
  }
  if (cursor !== undefined) return fromCursor(cursor);
  if (head !== undefined) return { wanted: { kind: 'head', count: head }, end: head };
  if (tail !== undefined) return { wanted: { kind: 'tail', count: tail }, end: LAST };
  if (startLine === undefined && endLine === undefined) return { wanted: { kind: 'all' }, end: LAST };
  assertRange(startLine, endLine);
  return { wanted: { kind: 'range', start: startLine ?? 1, end: endLine ?? LAST }, end: endLine ?? LAST };
}

type Position = [offset: number, line: number, end: number, etag: string];

function fromCursor(cursor: string): Wanted {
  const [offset, line, end, etag] = openCursor(NAME, cursor, isPosition);
  return { wanted: { kind: 'from', offset, line, end, etag }, end };
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [offset, line, end, etag] = value as unknown[];
  if (!isCount(offset) || !isCount(line) || !isCount(end) || typeof etag !== 'string') return false;
  return line >= 1 && end >= line;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0; // an integer is a number
}

function toReply({ path }: Arguments, { end }: Wanted, read: ReadText): ReturnType<typeof reply> {
  const nextCursor = nextCursorOf(read, end);
  const structured: Output = {
    path,
    text: read.text as unknown as string, // Utf8Text becomes a string when the result is written
    ...(read.startLine !== undefined && { startLine: read.startLine }),
    ...(read.endLine !== undefined && { endLine: read.endLine }),
    ...(read.totalLines !== undefined && { totalLines: read.totalLines }),
    size: read.size,
    encoding: read.encoding,
    ...(read.lossy && { lossy: true }),
    etag: read.etag,
    truncated: !read.complete,
    ...(nextCursor !== undefined && { nextCursor }),
  };
  return reply({ structured, content: contentOf(read, nextCursor) });
}

/** Where the next part begins; a tail that was cut is continued by asking for fewer lines. */
function nextCursorOf(read: ReadText, end: number): string | undefined {
  if (read.complete || read.startLine === undefined || read.endLine === undefined) return undefined;
  const endsLine = read.text.endsWithNewline;
  const line = endsLine ? read.endLine + 1 : Math.max(read.endLine, read.startLine);
  return sealCursor(NAME, [read.next, line, end, read.etag]);
}

function contentOf(read: ReadText, nextCursor: string | undefined): Exclude<Rendered, string> {
  const whole = read.complete && read.startLine === 1 && read.endLine === read.totalLines && !read.lossy;
  const text = { type: 'text' as const, text: read.text as unknown as string }; // as above
  if (whole) return [text];
  const notes = [rangeOf(read)];
  if (read.lossy) notes.push('some bytes are not valid text and are shown as U+FFFD');
  if (!read.complete) {
    notes.push(
      nextCursor === undefined
        ? 'cut at the size limit; ask for fewer lines'
        : `cut at the size limit; go on with cursor ${nextCursor}`,
    );
  }
  return [text, { type: 'text', text: `[${notes.join('; ')}]` }];
}

function rangeOf({ startLine, endLine, totalLines, size }: ReadText): string {
  const total = totalLines === undefined ? `a file of ${size} bytes` : String(totalLines);
  if (startLine === undefined || endLine === undefined) return `last lines of ${total}`;
  if (endLine < startLine) return `no lines from line ${startLine}, of ${total}`;
  return `lines ${startLine}-${endLine} of ${total}`;
}
