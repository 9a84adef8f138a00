import { LaneError } from '../../shared/error.ts';
import type { Pull } from './text.ts';

/** Most characters of one record; a longer one is most likely misread. */
const LONGEST_RECORD = 32 << 20;
const LEAST_READ = 64 << 10;

/** The part of a text that a reader holds: from the current record to the end of what was read. */
export class TextWindow {
  readonly #pull: Pull<string>;
  text = '';
  /** whether the input has ended */
  ended = false;
  /** the line in which `text` begins, from 1 */
  line = 1;

  constructor(pull: Pull<string>) {
    this.#pull = pull;
  }

  /**
   * Drops the text before `from` and reads on, at least as much as is kept, so that scanning a long record again with
   * each piece stays cheap.
   */
  advance(from: number, lines: number): void {
    this.line += lines;
    const left = this.text.length - from;
    if (left > LONGEST_RECORD) {
      throw new LaneError(`line ${this.line}: a record does not end within ${LONGEST_RECORD} characters`, {
        code: 'malformed',
        hint: 'a quote or bracket may be unclosed; or set delimiter or format',
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

/** Returns the number of line ends in a part of a text. */
export function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
