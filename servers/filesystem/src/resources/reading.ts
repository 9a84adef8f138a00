import {
  isStagingName,
  kindOf,
  openDirectory,
  openFile,
  readEntries,
  statEntry,
  toFileUri,
} from '@rootbound/kit/boundary';
import { Budget, jsonBytes } from '@rootbound/kit/budget';
import { type CallContext, type ResourceContents, ToolError } from '@rootbound/protocol';
import { byteOrderMark, isBinary, SNIFFED_BYTES } from '../text/decode.ts';
import { mediaTypeOf, mediaTypeOfName } from '../text/media.ts';
import { readLines } from '../text/read.ts';
import { readAt } from '../text/window.ts';
import type { Workspace } from '../workspace.ts';

/** What is behind a `file://` URI: the text or bytes of a file, or the entries of a directory. */
export async function readFileUri(
  uri: string,
  context: CallContext<Workspace>,
): Promise<readonly ResourceContents[]> {
  const { scope } = context.scope;
  const { stat, target } = statEntry(scope, uri);
  if (kindOf(target?.stat ?? stat) === 'directory') return [readDirectory(uri, context.scope)];
  const file = openFile(scope, uri);
  try {
    const start = readAt(file.fd, 0, SNIFFED_BYTES);
    const mark = byteOrderMark(start);
    const binary = isBinary(start) && (mark === undefined || mark.encoding === 'utf-8');
    if (binary) return [readBlob(uri, file.fd, file.stat.size, context.scope)];
  } finally {
    file.close();
  }
  const mimeType = mediaTypeOfName(uri) ?? 'text/plain';
  const { maxOutput } = context.scope;
  const room = roomFor({ uri, mimeType, text: '' }, maxOutput);
  const read = await readLines(context.scope, uri, { kind: 'all' }, room, context);
  if (!read.complete) {
    throw new ToolError(
      `the file has ${read.size} bytes, and as JSON with its URI it exceeds the limit of ${maxOutput}`,
      { code: 'too-large', hint: 'read_text_file gives it in parts' },
    );
  }
  return [{ uri, mimeType, text: String(read.text) }];
}

/** What is left for the content itself beside the rest of its entry. */
function roomFor(empty: ResourceContents, maxOutput: number): number {
  const room = maxOutput - Buffer.byteLength(JSON.stringify(empty));
  if (room >= 0) return room;
  throw new ToolError(`the URI alone exceeds the limit of ${maxOutput}`, {
    code: 'too-large',
    hint: 'raise --max-output',
  });
}

function readBlob(uri: string, fd: number, size: number, { maxOutput }: Workspace): ResourceContents {
  const mimeType = mediaTypeOf(readAt(fd, 0, SNIFFED_BYTES), uri);
  if (Math.ceil(size / 3) * 4 > roomFor({ uri, mimeType, blob: '' }, maxOutput)) {
    throw new ToolError(
      `the file has ${size} bytes, and as base64 with its URI it exceeds the limit of ${maxOutput}`,
      { code: 'too-large', hint: 'raise --max-output' },
    );
  }
  return { uri, mimeType, blob: readAt(fd, 0, size).toString('base64') };
}

const moreNote = '\n[more entries than fit; list_directory gives them in pages]';

/** One URI a line, so that each can be read in turn. */
function readDirectory(uri: string, { scope, maxOutput }: Workspace): ResourceContents {
  const mimeType = 'inode/directory';
  const budget = new Budget(roomFor({ uri, mimeType, text: moreNote }, maxOutput));
  const folder = openDirectory(scope, uri);
  const lines: string[] = [];
  try {
    const base = toFileUri(folder.path);
    for (const { name, kind, bytes } of readEntries(folder, uri)) {
      if (isStagingName(name) || bytes !== undefined) continue;
      const line = `${base.endsWith('/') ? base : `${base}/`}${encodeURIComponent(name)}${kind === 'directory' ? '/' : ''}`;
      // the quotes that are counted stand for the line end
      if (!budget.take(jsonBytes(line))) break;
      lines.push(line);
    }
  } finally {
    folder.close();
  }
  const text = lines.sort().join('\n');
  return { uri, mimeType, text: budget.truncated ? text + moreNote : text };
}
