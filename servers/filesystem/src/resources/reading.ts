import {
  isStagingName,
  kindOf,
  openDirectory,
  openFile,
  readEntries,
  statEntry,
  toFileUri,
} from '@rootbound/kit/boundary';
import { Budget, clipText, jsonBytes } from '@rootbound/kit/budget';
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
  const read = await readLines(context.scope, uri, { kind: 'all' }, context);
  if (!read.complete) {
    throw new ToolError(
      `the file has ${read.size} bytes, more than the limit of ${context.scope.maxOutput}`,
      {
        code: 'too-large',
        hint: 'read_text_file gives it in parts',
      },
    );
  }
  return [{ uri, mimeType: mediaTypeOfName(uri) ?? 'text/plain', text: String(read.text) }];
}

function readBlob(uri: string, fd: number, size: number, { maxOutput }: Workspace): ResourceContents {
  if (Math.ceil(size / 3) * 4 > maxOutput) {
    throw new ToolError(`the file has ${size} bytes, and base64 of it exceeds the limit of ${maxOutput}`, {
      code: 'too-large',
      hint: 'raise --max-output',
    });
  }
  const bytes = readAt(fd, 0, size);
  return { uri, mimeType: mediaTypeOf(bytes, uri), blob: bytes.toString('base64') };
}

/** One URI a line, so that each can be read in turn. */
function readDirectory(uri: string, { scope, maxOutput }: Workspace): ResourceContents {
  const folder = openDirectory(scope, uri);
  const budget = new Budget(maxOutput);
  const lines: string[] = [];
  try {
    const base = toFileUri(folder.path);
    for (const { name, kind, bytes } of readEntries(folder, uri)) {
      if (isStagingName(name) || bytes !== undefined) continue;
      const line = `${base.endsWith('/') ? base : `${base}/`}${encodeURIComponent(name)}${kind === 'directory' ? '/' : ''}`;
      if (!budget.take(jsonBytes(line))) break;
      lines.push(line);
    }
  } finally {
    folder.close();
  }
  const text = lines.sort().join('\n');
  const note = budget.truncated ? '\n[more entries than fit; list_directory gives them in pages]' : '';
  return { uri, mimeType: 'inode/directory', text: clipText(text, maxOutput).kept + note };
}
