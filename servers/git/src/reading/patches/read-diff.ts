import { bytesOf, fit, type Halves, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import { toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseChanges } from '../../porcelain/changes.ts';
import { CONTEXT_LINES, changesCommand, patchCommand, type Sides } from '../../porcelain/diff.ts';
import { isPlainName } from '../../porcelain/names.ts';
import type { Streamed } from '../../run/run.ts';
import { type ChangedFile, toChangedFile } from './changed-files.ts';
import { asked, choosable, factsOf, isPosition, type Position, type Reading } from './diff-call.ts';
import { FILE_BYTES, HUNK_BYTES, hunksOf } from './diff-hunks.ts';
import type { DiffArguments, DiffOutput } from './diff-schema.ts';
import { textOf } from './diff-text.ts';
import { readListing } from './listing.ts';
import type { PatchPage } from './pager.ts';
import { patchPage } from './patch-page.ts';
import { type PatchPosition, pathOf } from './position.ts';

type Listed = Pick<DiffOutput, 'files' | 'total'>;

/** Bytes that a page keeps free beside the patch, for the result's keys and a cursor. */
const ENVELOPE = 600;
/** Bytes: a patch with less room moves to the next page. */
const WORTHWHILE = 2048;
const LEAST = 64;

/** Reads a page of the difference between two sides: first the list of files, then the patch in whole hunks. */
export function readDiff(
  opened: Opened,
  sides: Sides,
  args: DiffArguments,
  tool: string,
  maxOutput: number,
): Promise<Reply> {
  const { paths, cursor } = args;
  const query = { sides, ...(paths !== undefined && { paths: toPaths(paths) }) };
  const facts = { ...factsOf(sides) };
  const reading = { opened, args, tool, maxOutput, query, facts };
  if (cursor === undefined) return fromList(reading, 0);
  const position = openPosition(tool, asked(reading), cursor, isPosition);
  if (typeof position === 'number') return fromList(reading, position);
  const after = position === 'patch' ? undefined : position;
  return withPatch(reading, { files: [] }, streamPatch(reading, { after }), maxOutput - ENVELOPE, after);
}

async function fromList(reading: Reading, start: number): Promise<Reply> {
  const { maxOutput } = reading;
  const { files, source } = await listFiles(reading);
  try {
    const rest = files.slice(start);
    const total = files.length;
    const { kept, halves } = fit(rest.length, maxOutput, (count) => {
      const end = start + count;
      return halvesOf(reading, { files: rest.slice(0, count), total }, end < total ? end : undefined);
    });
    if (kept < rest.length || rest.length === 0 || source === undefined) return toReply(halves);
    const room = maxOutput - bytesOf(halves) - ENVELOPE;
    const listed = { files: rest, total };
    if (room >= Math.min(WORTHWHILE, maxOutput / 4)) return await withPatch(reading, listed, source, room);
    return toReply(halvesOf(reading, listed, 'patch'));
  } finally {
    source?.stop();
  }
}

interface Files {
  readonly files: readonly ChangedFile[];
  /** the patch, which is read or stopped */
  readonly source: Streamed | undefined;
}

async function listFiles(reading: Reading): Promise<Files> {
  const { count_lines, stat_only } = reading.args;
  if (stat_only === true) return { files: await listAlone(reading), source: undefined };
  if (count_lines !== true) {
    const together = await listBefore(streamPatch(reading, { list: true }));
    if (together !== undefined) return together;
  }
  // both at once: git computes no more of a patch than is read
  const source = streamPatch(reading);
  try {
    return { files: await listAlone(reading), source };
  } catch (error) {
    source.stop();
    throw error;
  }
}

/**
 * Returns the list before the patch of the same run; undefined where it has a path in conflict, whose patch cannot be
 * parsed.
 */
async function listBefore(source: Streamed): Promise<Files | undefined> {
  const { changes, patch } = await readListing(source.chunks);
  if (changes.some(({ kind }) => kind === 'unmerged')) {
    source.stop();
    return undefined;
  }
  // an empty output may mean that git failed
  if (changes.length === 0) await source.finished;
  return { files: changes.map(toChangedFile), source: { ...source, chunks: patch } };
}

async function listAlone({ opened, args, query }: Reading): Promise<ChangedFile[]> {
  const { stdout, truncated } = await opened.run(changesCommand(query, { lines: args.count_lines === true }));
  if (!truncated) return parseChanges(stdout).map(toChangedFile);
  throw new ToolError('more files differ than can be listed', { code: 'too-large', hint: 'name paths' });
}

async function withPatch(
  reading: Reading,
  listed: Listed,
  source: Streamed,
  room: number,
  after?: PatchPosition,
): Promise<Reply> {
  const page = await readPage(reading, source, room, after);
  const halves = halvesOf(reading, listed, page.next, page);
  const over = bytesOf(halves) - reading.maxOutput;
  // names are longer than estimated: reads again with less of the patch
  if (over <= 0 || room <= LEAST) return toReply(halves);
  const less = Math.max(LEAST, room - over);
  return withPatch(reading, listed, streamPatch(reading, { after }), less, after);
}

async function readPage(
  { args }: Reading,
  { chunks, finished, stop }: Streamed,
  budget: number,
  after: PatchPosition | undefined,
): Promise<PatchPage> {
  const factSizes = choosable(args) && { perFile: FILE_BYTES, perHunk: HUNK_BYTES };
  const context = args.context_lines ?? CONTEXT_LINES;
  const page = await patchPage(chunks, { budget, after, context, ...factSizes });
  if (page?.next !== undefined) stop();
  await finished;
  if (page !== undefined) return page;
  throw new ToolError('the compared sides have changed since the previous part', {
    code: 'invalid-cursor',
    hint: 'start again without cursor',
  });
}

interface From {
  readonly list?: boolean;
  readonly after?: PatchPosition | undefined;
}

function streamPatch({ opened, args, query }: Reading, { list = false, after }: From = {}): Streamed {
  const { context_lines: context = CONTEXT_LINES, ignore_space } = args;
  // the file may be unchanged again by now, and git then knows no such path
  const path = after !== undefined && query.sides.kind === 'between' ? pathOf(after) : undefined;
  const options = {
    context,
    list,
    ...defined({ ignoreSpace: ignore_space }),
    ...(path !== undefined && isPlainName(path) && { skipTo: path }),
  };
  return opened.stream(patchCommand(query, options));
}

function halvesOf(
  reading: Reading,
  { files, total }: Listed,
  next: Position | undefined,
  page?: PatchPage,
): Halves & { structured: DiffOutput } {
  const hunks = page !== undefined && choosable(reading.args) ? hunksOf(page.files) : [];
  const structured: DiffOutput = {
    ...reading.facts,
    files,
    ...defined({ total }),
    ...(page !== undefined && { patch: page.text }),
    ...(hunks.length > 0 && { hunks }),
    ...(page?.lossy === true && { lossy: true }),
    truncated: next !== undefined,
    ...(next !== undefined && { next_cursor: sealPosition(reading.tool, asked(reading), next) }),
  };
  return { structured, text: textOf(structured, page?.cut === true) };
}

function toReply({ structured, text }: Halves): Reply {
  return reply({ structured, content: text });
}
