import { showName } from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import { defined, yieldToEventLoop } from '@rootbound/kit/primitives';
import { type ContentBlock, type Reply, reply, ToolError, type Utf8Text } from '@rootbound/protocol';
import * as z from 'zod';
import { linksBeside, linkTo } from '../text/link.ts';
import { readLines } from '../text/read.ts';
import { invalidNote, type ReadText } from '../text/read-text.ts';
import type { Lines } from '../text/window.ts';
import { type CallControl, tool, type Workspace } from '../workspace.ts';

const MAX_FILES = 1000;
/** Maximum size of a file in the result without its path and text, in bytes. */
const ENTRY_BYTES = 240;
/** Maximum size of the result without files and the list of remaining ones, in bytes. */
const ENVELOPE_BYTES = 200;
/** Characters of a path over the size limit in the result. */
const MAX_PATH_CHARACTERS = 100;
/** Time after which reading yields to the event loop, in milliseconds. */
const TURN_MS = 10;
/** Texts up to this size, in bytes, are joined into one block; larger ones stay byte buffers. */
const ONE_BLOCK_BYTES = 256 * 1024;

const input = z.strictObject({
  paths: z.array(z.string()).min(1).max(MAX_FILES),
  head: z.int().min(1).optional().describe('of each'),
  tail: z.int().min(1).optional().describe('of each'),
});

const output = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      text: z.string().optional(),
      startLine: z.int().optional(),
      totalLines: z.int().optional(),
      lossy: z.boolean().optional(),
      etag: z.string().optional(),
      truncated: z.boolean().optional().describe('read_text_file reads the rest'),
      error: z.string().optional(),
    }),
  ),
  truncated: z.boolean(),
  remaining: z.array(z.string()).optional().describe('paths not read for size; call again with them'),
  remainingCount: z.int().optional().describe('if remaining is incomplete'),
});

type Output = z.input<typeof output>;
type FileResult = Output['files'][number];

/** A file of the result and its text. */
interface Entry {
  result: FileResult;
  read?: ReadText;
}

export const readMultipleFiles = tool({
  name: 'read_multiple_files',
  title: 'Read several files',
  description: 'Reads several text files, each with its own text or error, within one size limit.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ paths, head, tail }, context): Promise<Reply> {
    const lines = linesOf(head, tail);
    const entries: Entry[] = [];
    const { maxOutput } = context.scope;
    // a part is reserved for the list of files that do not fit
    const reserve = Math.min(Math.floor(maxOutput / 4), listBytes(paths));
    let room = maxOutput - reserve - ENVELOPE_BYTES;
    let turn = performance.now();
    for (const [index, path] of paths.entries()) {
      const cost = ENTRY_BYTES + jsonBytes(path);
      if (cost > room && index > 0) return toReply(entries, maxOutput, rest(paths.slice(index), reserve));
      const left = Math.max(1, room - cost);
      const entry = cost > room ? unnamed(path) : await readOne(context.scope, path, lines, left, context);
      room -= cost + (entry.read?.text.jsonBytes ?? jsonBytes(entry.result.error ?? ''));
      entries.push(entry);
      context.progress(index + 1, paths.length);
      if (performance.now() - turn > TURN_MS) {
        await yieldToEventLoop();
        turn = performance.now();
      }
      context.signal.throwIfAborted();
    }
    return toReply(entries, maxOutput, undefined);
  },
});

function linesOf(head: number | undefined, tail: number | undefined): Lines {
  if (head !== undefined && tail !== undefined)
    throw new ToolError('set only one of head and tail', { code: 'invalid-arguments' });
  if (head !== undefined) return { kind: 'head', count: head };
  return tail === undefined ? { kind: 'all' } : { kind: 'tail', count: tail };
}

async function readOne(
  workspace: Workspace,
  path: string,
  lines: Lines,
  room: number,
  { signal }: CallControl,
): Promise<Entry> {
  try {
    const read = await readLines(workspace, path, lines, room, { signal, progress: () => {} });
    const { text, startLine = 1, totalLines, invalid, etag, complete } = read;
    const result: FileResult = {
      path,
      text: text as unknown as string, // Utf8Text is written as a JSON string
      ...(startLine !== 1 && { startLine }),
      ...defined({ totalLines }),
      ...(invalid !== undefined && { lossy: true }),
      etag,
      ...(!complete && { truncated: true }),
    };
    return { result, read };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const why = error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
    return { result: { path, error: why } };
  }
}

/** Returns the entry for a path that exceeds the size limit. */
function unnamed(path: string): Entry {
  const error = 'the path exceeds the size limit';
  return { result: { path: `${path.slice(0, MAX_PATH_CHARACTERS)}...`, error } };
}

type Rest = Pick<Output, 'remaining' | 'remainingCount'>;

function listBytes(paths: readonly string[]): number {
  return paths.reduce((total, path) => total + jsonBytes(path) + 1, 0);
}

/** Returns the paths that fit, and the number of all paths if some do not. */
function rest(paths: readonly string[], room: number): Rest {
  const remaining: string[] = [];
  let left = room;
  for (const path of paths) {
    left -= jsonBytes(path) + 1;
    if (left < 0) break;
    remaining.push(path);
  }
  return remaining.length === paths.length ? { remaining } : { remaining, remainingCount: paths.length };
}

function toReply(entries: readonly Entry[], maxOutput: number, left: Rest | undefined): Reply {
  const files = entries.map(({ result }) => result);
  const truncated = left !== undefined || files.some((file) => file.truncated === true);
  const blocks = contentOf(entries, left);
  return reply({
    structured: { files, truncated, ...left } satisfies Output,
    content: [...blocks, ...linksIn(entries, blocks, maxOutput)],
  });
}

/** Returns the texts, each after its path, in one block if they are short. */
function contentOf(entries: readonly Entry[], left: Rest | undefined): ContentBlock[] {
  const bytes = entries.reduce((total, { read }) => total + (read?.text.byteLength ?? 0), 0);
  const parts = entries.flatMap((entry, index) => [...(index > 0 ? ['\n---\n'] : []), ...partsOf(entry)]);
  if (left?.remaining !== undefined) parts.push(`\n---\n${remainingNote(left)}`);
  if (bytes <= ONE_BLOCK_BYTES) return [{ type: 'text', text: parts.join('') }];
  return parts.map((part) => ({ type: 'text', text: part as string })); // as in the structured half
}

function partsOf({ result, read }: Entry): (string | Utf8Text)[] {
  const name = showName(result.path);
  if (read === undefined) return [`${name}: ${result.error}`];
  const notes = [];
  if (read.invalid !== undefined) notes.push(invalidNote(read.invalid));
  if (!read.complete) notes.push('cut at the size limit; read the rest with read_text_file');
  return [`${name}:\n`, read.text, ...(notes.length === 0 ? [] : [`\n[${notes.join('; ')}]`])];
}

function remainingNote({ remaining = [], remainingCount }: Rest): string {
  const more = remainingCount === undefined ? '' : `${remainingCount} files, beginning with `;
  return `[not read, over the size limit: ${more}${remaining.map(showName).join(', ')}]`;
}

/** Returns links to the truncated files, as many as fit. */
function linksIn(
  entries: readonly Entry[],
  blocks: readonly ContentBlock[],
  maxOutput: number,
): ContentBlock[] {
  const links = entries.flatMap(({ read }) =>
    read === undefined || read.complete ? [] : [linkTo(read.file)],
  );
  return linksBeside(blocks, links, maxOutput);
}
