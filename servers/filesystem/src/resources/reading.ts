import type { Stats } from 'node:fs';
import { join } from 'node:path';
import {
  assertOneName,
  etagOf,
  isStagingName,
  kindOf,
  type OpenFile,
  openDirectory,
  openFile,
  readEntries,
  statEntry,
  textOfBytes,
  toFileUri,
} from '@rootbound/kit/boundary';
import { Budget, jsonBytes } from '@rootbound/kit/budget';
import { byteOrderMark, isBinary, isSigned, mediaTypeOf, SNIFFED_BYTES } from '@rootbound/kit/media';
import { defined, yieldToEventLoop } from '@rootbound/kit/primitives';
import { type CallContext, type ResourceContents, ToolError, Utf8Text } from '@rootbound/protocol';
import { isoTime } from '../listing/facts.ts';
import { base64Length, readBytes, toBase64 } from '../text/bytes.ts';
import { pathOf } from '../text/link.ts';
import { readLines } from '../text/read.ts';
import { readAt } from '../text/window.ts';
import type { Workspace } from '../workspace.ts';

/** Reads a `file://` URI: the text or bytes of a file, or the entries of a directory. */
export async function readFileUri(
  uri: string,
  context: CallContext<Workspace>,
): Promise<readonly ResourceContents[]> {
  const { scope } = context.scope;
  const { stat, target } = statEntry(scope, uri);
  if (kindOf(target?.stat ?? stat) === 'directory') return [await readDirectory(uri, context)];
  const { mimeType, blob, meta } = await look(uri, context);
  if (blob !== undefined) return [blob];
  const { maxOutput } = context.scope;
  const room = roomFor({ uri, mimeType, text: '', ...meta }, maxOutput);
  const read = await readLines(context.scope, uri, { kind: 'all' }, room, context);
  if (!read.complete) {
    throw new ToolError(
      `the file has ${read.file.stat.size} bytes, and as JSON with its URI it exceeds the limit of ${maxOutput}`,
      { code: 'too-large', hint: 'call read_text_file, which reads it in parts' },
    );
  }
  const text = read.text as unknown as string; // Utf8Text is written as a JSON string
  return [{ uri, mimeType, text, ...metaOf(read.file.stat, context) }];
}

interface Look {
  mimeType: string;
  /** the content of a binary file */
  blob?: ResourceContents;
  meta: Meta;
}

/** Detects the type of a file, and reads it if it is binary. */
async function look(uri: string, context: CallContext<Workspace>): Promise<Look> {
  const { scope, changes } = context.scope;
  const file = openFile(scope, uri);
  try {
    assertOneName(file.stat, uri, changes.hardLinks);
    const start = readAt(file.fd, 0, SNIFFED_BYTES);
    const mark = byteOrderMark(start);
    const meta = metaOf(file.stat, context);
    const mimeType = mediaTypeOf(start, uri);
    const marked = mark !== undefined && mark.encoding !== 'utf-8';
    if (!marked && (isBinary(start) || isSigned(start)))
      return { mimeType, meta, blob: await readBlob(uri, file, mimeType, context) };
    return { mimeType: mimeType === 'application/octet-stream' ? 'text/plain' : mimeType, meta };
  } finally {
    file.close();
  }
}

type Meta = Pick<ResourceContents, '_meta'>;

/** Returns the size, etag and time of a file, for revisions in which resource contents have `_meta`. */
function metaOf(stat: Stats, { facts }: CallContext<Workspace>): Meta {
  // revisions are dates
  if (facts.revision < '2025-06-18') return {};
  const lastModified = isoTime(stat.mtimeMs);
  return {
    _meta: { size: stat.size, etag: etagOf(stat), ...defined({ lastModified }) },
  };
}

/** Returns the bytes that are left for the content beside the other fields. */
function roomFor(empty: ResourceContents, maxOutput: number): number {
  const room = maxOutput - Buffer.byteLength(JSON.stringify(empty));
  if (room >= 0) return room;
  throw new ToolError(`the URI alone exceeds the limit of ${maxOutput}`, {
    code: 'too-large',
    hint: 'raise --max-output',
  });
}

async function readBlob(
  uri: string,
  file: OpenFile,
  mimeType: string,
  context: CallContext<Workspace>,
): Promise<ResourceContents> {
  const { maxOutput } = context.scope;
  const most = roomFor({ uri, mimeType, blob: '', ...metaOf(file.stat, context) }, maxOutput);
  const { bytes, stat } = await readBytes(
    file,
    uri,
    0,
    ({ size }) => ({ offset: 0, length: base64Length(size) > most ? 0 : size }),
    context,
  );
  if (bytes.length < stat.size) {
    throw new ToolError(
      `the file has ${stat.size} bytes, and as base64 with its URI it exceeds the limit of ${maxOutput}`,
      { code: 'too-large', hint: 'call read_media_file with offset and length' },
    );
  }
  const blob = new Utf8Text(await toBase64(bytes));
  await blob.prepare();
  // Utf8Text is written as a JSON string
  return { uri, mimeType, blob: blob as unknown as string, ...metaOf(stat, context) };
}

/** Names that are read in one turn of the event loop. */
const NAMES_IN_ONE_GO = 500;
const moreNote = '\n[more entries than fit; call list_directory, which lists them page by page]';

/** Lists a directory, one URI per line, so that each can be read. */
async function readDirectory(
  uri: string,
  { scope: { scope, maxOutput }, signal }: CallContext<Workspace>,
): Promise<ResourceContents> {
  const mimeType = 'inode/directory';
  const budget = new Budget(roomFor({ uri, mimeType, text: moreNote }, maxOutput));
  const folder = openDirectory(scope, uri);
  const lines: string[] = [];
  try {
    const base = pathOf(folder);
    let looked = 0;
    const isDenied = scope.hiddenIn(folder.path);
    for (const { name, kind, bytes } of readEntries(folder, uri)) {
      if (++looked % NAMES_IN_ONE_GO === 0) {
        await yieldToEventLoop();
        signal.throwIfAborted();
      }
      if (isStagingName(name) || isDenied(name)) continue;
      const uri = toFileUri(join(base, bytes === undefined ? name : textOfBytes(bytes)));
      const line = kind === 'directory' ? `${uri}/` : uri;
      // jsonBytes counts two quotes, which stand for the line end
      if (!budget.take(jsonBytes(line))) break;
      lines.push(line);
    }
  } finally {
    folder.close();
  }
  const text = lines.sort().join('\n');
  return { uri, mimeType, text: budget.truncated ? text + moreNote : text };
}
