import { LaneError } from '../../shared/error.ts';
import { type Encoding, encodings } from '../../shared/formats.ts';

export type Pull<T> = () => T | undefined;

/**
 * Decodes pieces of bytes to pieces of text. The byte order mark is dropped and decides if no encoding is given. Throws
 * for bytes that are invalid in the encoding.
 */
export function textOf(pull: Pull<Buffer>, encoding: Encoding | undefined): Pull<string> {
  let decode: ((bytes?: Buffer) => string) | undefined;
  let ended = false;
  return () => {
    while (!ended) {
      let bytes = pull();
      if (decode === undefined && bytes !== undefined) {
        bytes = atLeast(bytes, LONGEST_MARK, pull);
        decode = decoderOf(encoding ?? markedEncoding(bytes) ?? 'utf-8');
      }
      ended = bytes === undefined;
      const text = decode?.(bytes) ?? '';
      if (text !== '') return text;
    }
    return undefined;
  };
}

const LONGEST_MARK = 3;

function atLeast(first: Buffer, length: number, pull: Pull<Buffer>): Buffer {
  let bytes = first;
  while (bytes.length < length) {
    const next = pull();
    if (next === undefined) break;
    bytes = Buffer.concat([bytes, next]);
  }
  return bytes;
}

function markedEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decoderOf(encoding: Encoding): (bytes?: Buffer) => string {
  // TextDecoder treats latin1 as windows-1252, which differs from 0x80 to 0x9f
  if (encoding === 'latin1') return (bytes) => bytes?.toString('latin1') ?? '';
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new LaneError(`the file is not ${encoding}`, {
        code: 'encoding',
        hint: `set encoding to one of ${encodings.join(', ')}`,
        cause,
      });
    }
  };
}
