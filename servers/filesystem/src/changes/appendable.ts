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
  /** undefined where nobody has named one */
  readonly encoding: Encoding | Table | undefined;
}

/** Refuses to add a text to a file that is written in another way; of a huge one only the start is looked at. */
export function assertAppendable(
  { path, content, encoding }: Added,
  before: Before,
  format: TextFormat,
): void {
  const written = encoding ?? format.encoding;
  if ((written === 'utf-16le' || written === 'utf-16be') && before.stat.size % 2 !== 0)
    throw new ToolError(`not valid UTF-16: ${showPath(path)}`, {
      code: 'not-text',
      hint: 'encoding base64 adds bytes',
    });
  if (encoding !== undefined || format.encoding !== 'utf-8') return;
  if (format.binary)
    throw new ToolError(`not a text file: ${showPath(path)}`, {
      code: 'binary',
      hint: 'name the encoding of the file, utf-16le or utf-16be without a byte order mark; base64 adds bytes, and utf-8 adds UTF-8 all the same',
    });
  if (!isAsciiText(content) && !isUtf8File(before, MOST_CHECKED)) throw notUtf8(path);
}
