import type { Before, Content } from '@rootbound/kit/boundary';
import type { Encoding } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';
import { isAsciiText } from '../edit/coding.ts';
import type { Table } from '../encodings/table.ts';
import type { LineEnds } from '../text/lines.ts';
import { assertAppendable } from './appendable.ts';
import { isPlainText } from './known-texts.ts';
import { plainFormat, type TextFormat, textFormatOf } from './text-format.ts';

/** A text that becomes the content of a file, or its end. */
export interface Text {
  readonly path: string;
  readonly content: string;
  /** undefined to write as the file is written */
  readonly encoding: Encoding | Table | undefined;
  readonly lineEnds: LineEnds | undefined;
  readonly appends: boolean;
}

/** What is written, and what of the file is kept that the caller did not ask for. */
export interface TextContent {
  readonly content: Content;
  readonly kept: readonly string[];
}

/** The bytes of a text for a file: in its encoding, with its mark and line ends, unless the caller says otherwise. */
export function contentFor(text: Text, before: Before | undefined): TextContent {
  const format = before === undefined || isPlainText(before.stat) ? plainFormat : textFormatOf(before);
  if (text.appends && before !== undefined) assertAppendable(text, before, format);
  const kept: string[] = [];
  const lines = withLineEnds(text, format, kept);
  if (typeof text.encoding === 'object') return { content: text.encoding.encodeAll('content', lines), kept };
  if (text.encoding !== undefined)
    return { content: encoded(lines, text.encoding, wantsMark(text, before, format)), kept };
  if (format.encoding !== 'utf-8') {
    kept.push(`${format.encoding.toUpperCase()} kept`);
    return { content: encoded(lines, format.encoding, !text.appends), kept };
  }
  if (!text.appends && !format.valid && !isAsciiText(lines)) kept.push('the file was not UTF-8 before');
  if (!format.marked || text.appends || lines.startsWith(MARK)) return { content: lines, kept };
  kept.push('byte order mark kept');
  return { content: MARK + lines, kept };
}

const MARK = '\ufeff';

/** UTF-16 has a mark, unless the file has been written without one. */
function wantsMark({ appends, encoding }: Text, before: Before | undefined, format: TextFormat): boolean {
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return false;
  if (before === undefined || before.stat.size === 0) return true;
  return !appends && !format.binary;
}

function encoded(text: string, encoding: Encoding, marked: boolean): Buffer {
  const all = marked && !text.startsWith(MARK) ? MARK + text : text;
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(all);
    case 'utf-16le':
      return Buffer.from(all, 'utf16le');
    case 'utf-16be':
      return Buffer.from(all, 'utf16le').swap16();
    case 'latin1':
      return latin1Bytes(all);
  }
}

function latin1Bytes(text: string): Buffer {
  const odd = Array.from(text).find((character) => character > '\xff');
  if (odd === undefined) return Buffer.from(text, 'latin1');
  throw new ToolError(`content holds ${odd}, which Latin-1 has not`, {
    code: 'invalid-arguments',
    hint: 'write it in another way, or name another encoding',
  });
}

function withLineEnds({ content, lineEnds }: Text, format: TextFormat, kept: string[]): string {
  if (lineEnds === 'lf') return content.replaceAll('\r\n', '\n');
  if (lineEnds === 'crlf') return content.replace(/\r?\n/g, '\r\n');
  // a text with CRLF of its own is what the caller wants
  if (format.lineEnds !== 'crlf' || !content.includes('\n') || content.includes('\r\n')) return content;
  kept.push('CRLF kept');
  return content.replaceAll('\n', '\r\n');
}
