import { type Change, showName, showPath, updateFile } from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import type { Encoding } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { notesOf } from '../changes/notes.ts';
import { applyEdits } from '../edit/apply.ts';
import { assertUtf8, codingOf, decodedCoding } from '../edit/coding.ts';
import { unifiedDiff } from '../edit/diff.ts';
import { contentOf, Document } from '../edit/document.ts';
import { type ParsedEdits, parseEdits } from '../edit/parse.ts';
import { findRegions } from '../edit/regions.ts';
import { inSlices, type Sliced } from '../edit/slices.ts';
import { decodeByTable } from '../encodings/decode-file.ts';
import { encodingOf } from '../encodings/names.ts';
import type { Table } from '../encodings/table.ts';
import { tool } from '../workspace.ts';

const MAX_EDITED_BYTES = 64 * 1024 * 1024;
const MAX_EDITS = 10_000;

/** The longest possible etag, for the size check before the real one is known. */
const ANY_ETAG = '-'.repeat(64);
const ANY_COUNT = 1e9;

/** With more edits the text half has the sum of the counts. */
const MOST_COUNTS = 20;

const output = z.object({
  path: z.string(),
  diff: z.string().describe('unified diff'),
  replacements: z.array(z.int()).describe('number of replacements per edit'),
  applied: z.boolean().describe('false if nothing was written: a dry run, or no difference'),
  etag: z.string(),
  brokenLinks: z.int().optional().describe('other hard links, which keep the old content'),
  notes: z.array(z.string()).optional(),
  truncated: z.boolean().describe('the diff was cut at the size limit'),
});

type Output = z.output<typeof output>;

const edit = z.strictObject({
  oldText: z.string().optional().describe('exact; must occur once unless replaceAll or expected is set'),
  newText: z.string(),
  replaceAll: z.boolean().optional(),
  expected: z.int().min(1).optional().describe('replace all; must be this many'),
  startLine: z.int().min(1).optional().describe('replace lines up to endLine'),
  endLine: z.int().min(1).optional(),
  insertLine: z.int().min(0).optional().describe('insert after this line; 0: at the start'),
});

const input = z.strictObject({
  path: z.string(),
  edits: z.array(edit).min(1).max(MAX_EDITS),
  dryRun: z.boolean().optional().describe('only return the diff'),
  ifMatch: z.string().optional(),
  encoding: z.string().optional().describe('of the file; default: by byte order mark, else utf-8'),
});

interface EditRequest extends Omit<z.output<typeof input>, 'encoding'> {
  /** undefined to detect it from the file */
  readonly encoding: Encoding | Table | undefined;
  readonly parsed: ParsedEdits;
  readonly maxOutput: number;
  /** called with the number of applied edits */
  readonly onProgress: (done: number) => void;
}

export const editFile = tool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Changes parts of a text file; applies all edits or none. Each edit has oldText, startLine or insertLine. Edits by line apply first, with the line numbers before the call, then edits by text in order.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(request, { scope: { scope, maxOutput, changes }, signal, progress }) {
    const { path, edits, ifMatch } = request;
    const onProgress = (done: number): void => progress(done, edits.length);
    const parsed = parseEdits(edits);
    let result: Output | undefined;
    const work = function* (bytes: Buffer, encoding: EditRequest['encoding']): Sliced<Buffer[] | undefined> {
      const made = yield* makeChange(bytes, { ...request, encoding, parsed, maxOutput, onProgress });
      result = made.result;
      return made.content;
    };
    const change = (bytes: Buffer): ReturnType<Change> => {
      // the file is locked meanwhile, so no later call overtakes this one
      const encoding = encodingOf(request.encoding);
      return encoding instanceof Promise
        ? encoding.then((table) => inSlices(work(bytes, table), signal))
        : inSlices(work(bytes, encoding), signal);
    };
    const { etag, brokenLinks, ...made } = await updateFile(scope, path, change, {
      ifMatch,
      signal,
      maxBytes: MAX_EDITED_BYTES,
      fsync: changes.fsync,
      hardLinks: changes.hardLinks,
    });
    const { diff, replacements, applied, truncated } = result!; // set by the change function, or updateFile has thrown
    const broken = brokenLinks === undefined ? {} : { brokenLinks };
    const notes = applied ? notesOf(made) : [];
    return {
      path,
      diff,
      replacements,
      applied,
      etag,
      ...broken,
      ...(notes.length > 0 && { notes }),
      truncated,
    };
  },
  render: (facts) => (facts.diff === '' ? headOf(facts) : `${headOf(facts)}\n${facts.diff}`),
});

/** Returns the content to write, undefined if nothing changes or for a dry run, and the result. */
function* makeChange(
  bytes: Buffer,
  { path, edits, dryRun = false, encoding, parsed, maxOutput, onProgress }: EditRequest,
): Sliced<{ content: Buffer[] | undefined; result: Output }> {
  const table = typeof encoding === 'object' ? encoding : undefined;
  const before = yield* documentOf(bytes, path, encoding);
  if (encoding === undefined && before.coding.name === 'utf-8')
    assertUtf8(
      bytes,
      path,
      edits.map(({ newText }) => newText),
    );
  const { document, counts } = yield* applyEdits(before, parsed, onProgress);
  const regions = yield* findRegions(before, document);
  const applied = !dryRun && regions.length > 0;
  const facts = {
    path,
    replacements: counts,
    applied,
    etag: ANY_ETAG,
    brokenLinks: ANY_COUNT,
    notes: notesOf({ inPlace: true, lostSetId: true }),
  };
  // checked before the write, so that a result over the size limit leaves the file unchanged
  const room = maxOutput - bytesBesideDiff({ ...facts, diff: '', truncated: false });
  if (room < 0) throw tooManyEditsError(edits.length, maxOutput);
  const { text, cut } = yield* unifiedDiff(path, before, document, regions, room);
  const result = { ...facts, diff: text, truncated: cut };
  if (!applied) return { content: undefined, result };
  const change = { bytes, before, after: document, regions };
  const content = table === undefined ? contentOf(document) : yield* table.splice(change);
  return { content, result };
}

function* documentOf(bytes: Buffer, path: string, encoding: EditRequest['encoding']): Sliced<Document> {
  if (typeof encoding !== 'object')
    return new Document(codingOf(bytes, path, encoding), [{ bytes, from: 0 }]);
  // a byte order mark takes precedence over the caller's encoding
  const coding = codingOf(bytes, path, undefined);
  if (coding.unit === 2 || coding.start > 0) throw markMismatchError(path, coding.name);
  return new Document(decodedCoding, [{ bytes: yield* decodeByTable(bytes, encoding), from: 0 }]);
}

function markMismatchError(path: string, encoding: string): ToolError {
  return new ToolError(`encoding contradicts the file's byte order mark (${encoding}): ${showPath(path)}`, {
    code: 'invalid-arguments',
    hint: 'omit encoding',
  });
}

function headOf({ replacements, applied, etag, truncated, diff, brokenLinks, ...rest }: Output): string {
  const path = showName(rest.path);
  const facts = [`replaced ${placesOf(replacements)}`, `etag ${etag}`];
  if (brokenLinks !== undefined) facts.push(`${brokenLinks} other hard links keep the old content`);
  if (rest.notes !== undefined) facts.push(...rest.notes);
  if (truncated) facts.push('the diff is cut');
  const nothing = diff === '' && !truncated ? `no difference in ${path}, nothing was written` : undefined;
  const head = applied ? `edited ${path}` : (nothing ?? `dry run of ${path}, nothing was written`);
  return `${head} (${facts.join(', ')})`;
}

function placesOf(replacements: readonly number[]): string {
  if (replacements.length <= MOST_COUNTS) return replacements.join(' + ');
  const places = replacements.reduce((a, b) => a + b, 0);
  return `${places} by ${replacements.length} edits`;
}

/** Returns the size of the larger half of a result with an empty diff, truncated or not. */
function bytesBesideDiff(facts: Output): number {
  const structured = Buffer.byteLength(JSON.stringify({ ...facts, truncated: false }));
  return Math.max(structured, jsonBytes(`${headOf({ ...facts, truncated: true })}\n`));
}

function tooManyEditsError(edits: number, limit: number): ToolError {
  return new ToolError(
    `the result of ${edits} edits exceeds the limit of ${limit} bytes; send fewer edits in one call`,
    { code: 'invalid-arguments' },
  );
}
