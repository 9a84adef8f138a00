import { type Before, showPath } from '@rootbound/kit/boundary';
import type { Encoding } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';
import { isAsciiText, notUtf8 } from '../edit/coding.ts';
import type { Table } from '../encodings/table.ts';
import { isUtf8File, type TextFormat } from './text-format.ts';

const MOST_CHECKED = 64 * 1024 * 1024;

interface Added {
  readonly path: string;
  readonly content: string;
  /** undefined if the caller named none */
  readonly encoding: Encoding | Table | undefined;
}

/** Throws a ToolError if a text in this encoding cannot be appended to the file. Only its first 64 MiB are checked. */
export function assertAppendable(
  { path, content, encoding }: Added,
  before: Before,
  format: TextFormat,
): void {
  const written = encoding ?? format.encoding;
  if ((written === 'utf-16le' || written === 'utf-16be') && before.stat.size % 2 !== 0)
    throw new ToolError(`not valid UTF-16: ${showPath(path)}`, {
      code: 'not-text',
      hint: 'set encoding to base64 to append bytes',
    });
  if (encoding !== undefined || format.encoding !== 'utf-8') return;
  if (format.binary)
    throw new ToolError(`not a text file: ${showPath(path)}`, {
      code: 'binary',
      hint: 'set encoding to utf-16le or utf-16be if it is UTF-16 without a byte order mark, to base64 to append bytes, or to utf-8 to append UTF-8 anyway',
    });
  if (!isAsciiText(content) && !isUtf8File(before, MOST_CHECKED)) throw notUtf8(path);
}
