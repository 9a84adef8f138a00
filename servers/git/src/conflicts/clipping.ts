import { clipLines } from '../patches/lines.ts';

const LEAST = 64;

/** The room that one conflict has in a result, and what it was too little for. */
export class Clipping {
  #left: number;
  /** something was left out */
  cut = false;
  /** some lines are no UTF-8 */
  lossy = false;

  constructor(room: number) {
    this.#left = room;
  }

  /** Returns as much of the bytes as leaves room for the other two sides. */
  text(bytes: Buffer): string {
    if (bytes.length === 0) return '';
    const clip = clipLines(bytes, Math.max(LEAST, Math.floor(this.#left / 4)));
    this.cut ||= clip.bytes < bytes.length;
    this.lossy ||= clip.lossy;
    return clip.text;
  }

  /** Whether there is room for these facts, which they have then taken. */
  take(facts: object): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(facts)) + 1;
    const fits = bytes <= this.#left;
    if (fits) this.#left -= bytes;
    else this.cut = true;
    return fits;
  }
}
