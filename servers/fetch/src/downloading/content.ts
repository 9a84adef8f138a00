import { createHash, type Hash } from 'node:crypto';
import { Draft } from '@rootbound/kit/boundary';
import { SAMPLE_BYTES } from '@rootbound/kit/media';
import type { Before } from './arrive.ts';
import type { Begun } from './drafts.ts';

/** The facts that tell a whole from its later forms, and from other files. */
export type Whole = Omit<Before, 'bytes'>;

/** What has come of a file. */
export class Content {
  readonly draft: Draft;
  bytes: number;
  #hash: Hash;
  #start: Buffer;
  #whole: Whole | undefined;

  constructor(begun?: Begun) {
    this.draft = begun?.draft ?? new Draft();
    this.bytes = this.draft.bytes;
    this.#hash = begun?.hash ?? createHash('sha256');
    this.#start = begun?.start ?? Buffer.alloc(0);
    this.#whole = begun;
  }

  /** What can be gone on with. */
  get before(): Before | undefined {
    return this.bytes === 0 || this.#whole === undefined ? undefined : { bytes: this.bytes, ...this.#whole };
  }

  /** What a failure has left in the draft, where it can be gone on with. */
  get begun(): Begun | undefined {
    const whole = this.#whole;
    if (this.draft.bytes === 0 || this.draft.bytes !== this.bytes || whole === undefined) return undefined;
    const { validator, total, origin } = whole;
    return { draft: this.draft, hash: this.#hash, start: this.#start, validator, total, origin };
  }

  /** The first bytes. */
  get start(): Buffer {
    return this.#start;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Forgets all that came, for this; for nothing that could be gone on with where it is left out. */
  restart(whole?: Whole): void {
    this.draft.discard();
    this.bytes = 0;
    this.#hash = createHash('sha256');
    this.#start = Buffer.alloc(0);
    this.#whole = whole;
  }

  /** Counts a piece that was written. */
  add(piece: Buffer): void {
    this.bytes += piece.length;
    this.#hash.update(piece);
    const missing = SAMPLE_BYTES - this.#start.length;
    if (missing > 0) this.#start = Buffer.concat([this.#start, piece.subarray(0, missing)]);
  }
}
