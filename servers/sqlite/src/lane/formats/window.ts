import { LaneError } from '../../shared/error.ts';
import type { Pull } from './text.ts';

/** The most characters of one record: what does not end before is not what it seems to be. */
const LONGEST_RECORD = 32 << 20;
const LEAST_READ = 64 << 10;

/** The part of a text that a reader looks at: from the record that it is in to what has been read. */
export class TextWindow {
  readonly #pull: Pull<string>;
  text = '';
  /** whether nothing follows */
  ended = false;
  /** the line in which `text` begins, from 1 */
  line = 1;

  constructor(pull: Pull<string>) {
    this.#pull = pull;
  }

  /**
   * Lets go of what is before `from` and reads on: at least as much again as is left, so that looking at a long record
   * anew with each piece stays cheap.
   */
  advance(from: number, lines: number): void {
    this.line += lines;
    const left = this.text.length - from;
    if (left > LONGEST_RECORD) {
      throw new LaneError(`line ${this.line}: a record does not end within ${LONGEST_RECORD} characters`, {
        code: 'malformed',
        hint: 'a quote or bracket may never be closed; or say delimiter or format',
      });
    }
    const pieces = [this.text.slice(from)];
    for (let read = 0; read < Math.max(LEAST_READ, left); ) {
      const piece = this.#pull();
      if (piece === undefined) {
        this.ended = true;
        break;
      }
      pieces.push(piece);
      read += piece.length;
    }
    this.text = pieces.join('');
  }
}

/** How many lines end in a part of a text. */
export function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
