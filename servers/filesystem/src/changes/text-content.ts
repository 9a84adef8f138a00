import type { Before, Content } from '@rootbound/kit/boundary';
import type { Encoding } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';
import { isAsciiText } from '../edit/coding.ts';
import type { Table } from '../encodings/table.ts';
import type { LineEnds } from '../text/lines.ts';
import { assertAppendable } from './appendable.ts';
import { isPlainText } from './known-texts.ts';
import { plainFormat, type TextFormat, textFormatOf } from './text-format.ts';

/** A text to write to a file or to append to it. */
export interface NewText {
  readonly path: string;
  readonly content: string;
  /** undefined for the encoding of the file */
  readonly encoding: Encoding | Table | undefined;
  readonly lineEnds: LineEnds | undefined;
  readonly appends: boolean;
}

/** The content to write, and notes on the properties of the old file that it keeps. */
export interface TextContent {
  readonly content: Content;
  readonly kept: readonly string[];
}

/** Encodes a text for a file: in its encoding, with its byte order mark and line ends, unless the caller sets others. */
export function contentFor(text: NewText, before: Before | undefined): TextContent {
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
  if (!text.appends && !format.valid && !isAsciiText(lines)) kept.push('the old content was not UTF-8');
  if (!format.marked || text.appends || lines.startsWith(MARK)) return { content: lines, kept };
  kept.push('byte order mark kept');
  return { content: MARK + lines, kept };
}

const MARK = '\ufeff';

/** Returns whether a byte order mark is written: for UTF-16, unless the file exists without one. */
function wantsMark({ appends, encoding }: NewText, before: Before | undefined, format: TextFormat): boolean {
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
  throw new ToolError(`content has ${odd}, which latin1 cannot encode`, {
    code: 'invalid-arguments',
    hint: 'replace the character, or set another encoding',
  });
}

function withLineEnds({ content, lineEnds }: NewText, format: TextFormat, kept: string[]): string {
  if (lineEnds === 'lf') return content.replaceAll('\r\n', '\n');
  if (lineEnds === 'crlf') return content.replace(/\r?\n/g, '\r\n');
  // a caller that sends CRLF has chosen its line ends
  if (format.lineEnds !== 'crlf' || !content.includes('\n') || content.includes('\r\n')) return content;
  kept.push('CRLF kept');
  return content.replaceAll('\n', '\r\n');
}
