import { clipLines } from '../patches/patch-lines.ts';

const LEAST = 64;

/** The room of one conflict in a result, with notes of what did not fit. */
export class Clipping {
  #left: number;
  /** something was omitted */
  cut = false;
  /** some lines are not UTF-8 */
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

  /** Takes the room for these facts and returns whether they fit. */
  take(facts: object): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(facts)) + 1;
    const fits = bytes <= this.#left;
    if (fits) this.#left -= bytes;
    else this.cut = true;
    return fits;
  }
}
