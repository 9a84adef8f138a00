import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { createMultibyteDecoder, createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteDecoder, createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { ToolError } from '@rootbound/protocol';
import { splice } from './splice.ts';
import type { Table } from './table.ts';

const multiByte: ReadonlySet<string> = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr']);
// encodings with state that lasts beyond a line, and those that are no tables
const refused: ReadonlySet<string> = new Set(['iso-2022-jp', 'replacement', 'x-user-defined', 'utf-16']);
// the standard maps these labels to Windows encodings, which have more characters
const exact: ReadonlySet<string> = new Set(['iso-8859-1', 'iso-8859-9', 'iso-8859-11']);

/** Returns the table of an encoding by any of its labels in the Encoding standard. */
export function tableOf(label: string): Table {
  const name = exact.has(label) ? label : normalizeEncoding(label);
  if (name === null || refused.has(name) || name.startsWith('utf-'))
    throw new ToolError(`unknown encoding: ${label.slice(0, 40)}`, {
      code: 'invalid-arguments',
      hint: 'use utf-8, utf-16le, utf-16be, latin1, shift_jis, euc-jp, gbk, gb18030, big5, euc-kr, windows-1250 to windows-1258, iso-8859-1 to iso-8859-16, koi8-r, koi8-u, ibm866 or macintosh',
    });
  const isMultiByte = multiByte.has(name);
  const decode = isMultiByte ? createMultibyteDecoder(name, true) : createSinglebyteDecoder(name, true);
  const encode = isMultiByte ? createMultibyteEncoder(name) : createSinglebyteEncoder(name);
  const table: Table = {
    name,
    decode: (bytes) => decode(bytes),
    encode(text) {
      try {
        const { buffer, byteOffset, length } = encode(text);
        return Buffer.from(buffer, byteOffset, length);
      } catch {
        // it throws at the first character that it lacks, without naming it
        return undefined;
      }
    },
    encodeAll: (field, text) => encodeWith(table, field, text),
    splice: (edited) => splice(edited, table),
  };
  return table;
}

function encodeWith(table: Table, field: string, text: string): Buffer {
  const bytes = table.encode(text);
  if (bytes !== undefined) return bytes;
  const odd = Array.from(text).find((character) => table.encode(character) === undefined) ?? text.slice(0, 1);
  throw new ToolError(`${field} has ${odd} (U+${pointOf(odd)}), which ${table.name} cannot encode`, {
    code: 'invalid-arguments',
    hint: 'replace the character',
  });
}

function pointOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
