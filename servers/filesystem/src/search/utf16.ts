import { readSync } from 'node:fs';

const PIECE = 64 * 1024;
/** Bytes that a piece needs: the rest of the previous piece, and one character. */
const LEAST_ROOM = 16;
const BYTES_PER_UNIT = 3;

/** Reads a UTF-16 file as UTF-8. */
export class Utf16Reader {
  /** Number of bytes of the file that were read. */
  position = 2;
  ended = false;
  readonly #fd: number;
  readonly #bigEndian: boolean;
  readonly #wholeReads: boolean;
  readonly #piece = Buffer.allocUnsafeSlow(PIECE);
  #held = 0;

  constructor(fd: number, bigEndian: boolean, wholeReads: boolean) {
    this.#fd = fd;
    this.#bigEndian = bigEndian;
    this.#wholeReads = wholeReads;
  }

  /** Fills `into` from `at` on with complete characters; returns the end of the text. */
  fill(into: Buffer, at: number): number {
    let end = at;
    while (!this.ended && into.length - end >= LEAST_ROOM) {
      const most = Math.min(PIECE, (Math.floor((into.length - end) / BYTES_PER_UNIT) - 1) * 2);
      const asked = most - this.#held;
      const read = readSync(this.#fd, this.#piece, this.#held, asked, this.position);
      this.position += read;
      this.ended = read === 0 || (this.#wholeReads && read < asked);
      end += this.#decode(this.#held + read, into, end);
    }
    return end;
  }

  #decode(length: number, into: Buffer, at: number): number {
    const whole = this.ended ? length & ~1 : this.#wholeCharacters(length);
    const units = Buffer.from(this.#piece.subarray(0, whole));
    if (this.#bigEndian) units.swap16();
    this.#piece.copyWithin(0, whole, length);
    this.#held = length - whole;
    return into.write(units.toString('utf16le'), at, 'utf8');
  }

  // the first half of a surrogate pair waits for the second
  #wholeCharacters(length: number): number {
    const whole = length & ~1;
    const high = whole < 2 ? 0 : this.#piece[whole - (this.#bigEndian ? 2 : 1)]!;
    return high >= 0xd8 && high <= 0xdb ? whole - 2 : whole;
  }
}

/** Returns the byte order of a file that begins with a UTF-16 byte order mark. */
export function utf16Order(bytes: Buffer, length: number): 'big' | 'little' | undefined {
  if (length < 2 || bytes[0]! < 0xfe) return undefined;
  if (bytes[0] === 0xfe) return bytes[1] === 0xff ? 'big' : undefined;
  // followed by two zeros it is the byte order mark of UTF-32
  if (bytes[1] !== 0xfe || (length >= 4 && bytes[2] === 0 && bytes[3] === 0)) return undefined;
  return 'little';
}
