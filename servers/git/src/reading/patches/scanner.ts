import { countLine, linesLeft } from '../../porcelain/hunks.ts';
import { type Head, headAt, headEnd } from '../../porcelain/patch-head.ts';
import { unexpected } from '../../porcelain/records.ts';

/** A part of a patch. All parts in order are the whole. */
export type Part =
  | { readonly kind: 'head'; readonly head: Head; readonly bytes: Buffer }
  /** the first line of a hunk */
  | { readonly kind: 'hunk'; readonly line: string; readonly bytes: Buffer }
  /** the following lines of the hunk; the part may end within a line */
  | { readonly kind: 'lines'; readonly bytes: Buffer };

const NEWLINE = 10;
const AT = 64;
const BACKSLASH = 92;
/** Bytes of names and modes: a longer head is not one of a patch without binary contents. */
const MAX_HEAD = 1 << 20;
const nothing = Buffer.alloc(0);

/** Splits a patch into parts as it arrives. It buffers nothing of a hunk, however long a line is. */
export class PatchScanner {
  #rest: Buffer = nothing;
  /** the lines of the hunk that remain, for each side */
  #left: number[] = [];
  #inLine = false;

  *read(chunk: Buffer): Generator<Part, void, void> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at < bytes.length) {
      const end = this.#linesEnd(bytes, at);
      if (end > at) yield { kind: 'lines', bytes: bytes.subarray(at, end) };
      at = end;
      const part = at < bytes.length && !this.#inHunk(bytes, at) ? this.#begin(bytes, at, false) : undefined;
      if (part === undefined) break;
      yield part;
      at += part.bytes.length;
    }
    this.#rest = bytes.subarray(at);
    if (this.#rest.length > MAX_HEAD) throw unexpected('length of the head of a patch');
  }

  /** Returns the last part, which is complete only at the end of the patch. */
  end(): Part | undefined {
    return this.#rest.length === 0 ? undefined : this.#begin(this.#rest, 0, true);
  }

  // "\ No newline at end of file" may follow the last line
  #inHunk(bytes: Buffer, at: number): boolean {
    return this.#inLine || bytes[at] === BACKSLASH || this.#left.some((lines) => lines > 0);
  }

  /** Returns the end of the hunk's lines that are buffered. */
  #linesEnd(bytes: Buffer, start: number): number {
    let at = start;
    while (at < bytes.length && this.#inHunk(bytes, at)) {
      const newline = bytes.indexOf(NEWLINE, at);
      if (!this.#inLine && bytes[at] !== BACKSLASH) {
        const signs = at + this.#left.length - 1;
        if (newline === -1 && bytes.length < signs) return at;
        countLine(
          bytes.toString('latin1', at, newline === -1 ? signs : Math.min(newline, signs)),
          this.#left,
        );
      }
      this.#inLine = newline === -1;
      at = newline === -1 ? bytes.length : newline + 1;
    }
    return at;
  }

  /** Returns the head or hunk that begins here; undefined where it is incomplete. */
  #begin(bytes: Buffer, at: number, last: boolean): Part | undefined {
    if (bytes[at] !== AT) {
      // the start of the next part shows that this one is complete
      if (!last && (headEnd(bytes, at) ?? bytes.length) === bytes.length) return undefined;
      const head = headAt(bytes, at)?.head;
      return head && { kind: 'head', head, bytes: head.bytes };
    }
    const end = bytes.indexOf(NEWLINE, at) + 1;
    if (end === 0) return undefined;
    const line = bytes.toString('latin1', at, end - 1);
    this.#left = linesLeft(line);
    return { kind: 'hunk', line, bytes: bytes.subarray(at, end) };
  }
}
