import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Before, Content } from '@rootbound/kit/boundary';
import type { Encoding } from '@rootbound/kit/media';
import { ToolError } from '@rootbound/protocol';
import { assertUtf8, isAsciiText } from '../edit/coding.ts';
import type { Table } from '../encodings/table.ts';
import { type Form, formOf, type LineEnds, plainForm } from './form.ts';
import { isPlainText } from './plain-texts.ts';

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
export interface Made {
  readonly content: Content;
  readonly kept: readonly string[];
}

/** The bytes of a text for a file: in its encoding, with its mark and line ends, unless the caller says otherwise. */
export function contentFor(text: Text, before: Before | undefined): Made {
  const form = before === undefined || isPlainText(before.stat) ? plainForm : formOf(before);
  const kept: string[] = [];
  const lines = withLineEnds(text, form, kept);
  if (typeof text.encoding === 'object') return { content: text.encoding.encodeAll('content', lines), kept };
  if (text.encoding !== undefined)
    return { content: encoded(lines, text.encoding, wantsMark(text, before, form)), kept };
  if (form.encoding !== 'utf-8') {
    kept.push(`${form.encoding.toUpperCase()} kept`);
    return { content: encoded(lines, form.encoding, !text.appends), kept };
  }
  if (text.appends) assertSameEncoding(text, before);
  else if (!form.valid && !isAsciiText(lines)) kept.push('the file was not UTF-8 before');
  if (!form.marked || text.appends || lines.startsWith(MARK)) return { content: lines, kept };
  kept.push('byte order mark kept');
  return { content: MARK + lines, kept };
}

const MARK = '\ufeff';

/** UTF-16 has a mark, unless the file has been written without one. */
function wantsMark({ appends, encoding }: Text, before: Before | undefined, form: Form): boolean {
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return false;
  if (before === undefined || before.stat.size === 0) return true;
  return !appends && !form.binary;
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
  const odd = [...text].find((character) => character > '\xff');
  if (odd === undefined) return Buffer.from(text, 'latin1');
  throw new ToolError(`content holds ${odd}, which Latin-1 has not`, {
    code: 'invalid-arguments',
    hint: 'write it in another way, or name another encoding',
  });
}

function withLineEnds({ content, lineEnds }: Text, form: Form, kept: string[]): string {
  if (lineEnds === 'lf') return content.replaceAll('\r\n', '\n');
  if (lineEnds === 'crlf') return content.replace(/\r?\n/g, '\r\n');
  // a text with CRLF of its own is what the caller wants
  if (form.lineEnds !== 'crlf' || !content.includes('\n') || content.includes('\r\n')) return content;
  kept.push('CRLF kept');
  return content.replaceAll('\n', '\r\n');
}

const PIECE_BYTES = 1024 * 1024;
const MOST_CHECKED = 64 * PIECE_BYTES;

/** Refuses to add text beyond ASCII to a file that is not UTF-8; of a huge one only the start is looked at. */
function assertSameEncoding({ path, content }: Text, before: Before | undefined): void {
  if (before === undefined || isAsciiText(content)) return;
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const size = Math.min(before.stat.size, MOST_CHECKED);
  for (let at = 0; at < size; ) {
    const bytes = piece.subarray(0, readSync(before.fd, piece, 0, PIECE_BYTES, at));
    if (bytes.length === 0) return;
    const end = at + bytes.length >= size ? bytes.length : characterEnd(bytes);
    if (!isUtf8(bytes.subarray(0, end))) assertUtf8(bytes.subarray(0, end), path, [content]);
    at += end;
  }
}

/** Where the last whole character ends; what is no character is cut anywhere. */
function characterEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4 && end > 1; end--)
    if ((bytes[end - 1]! & 0xc0) !== 0x80) return (bytes[end - 1]! & 0x80) === 0 ? end : end - 1;
  return bytes.length;
}
