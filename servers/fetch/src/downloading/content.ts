import { createHash, type Hash } from 'node:crypto';
import { Draft } from '@rootbound/kit/boundary';
import { SAMPLE_BYTES } from '@rootbound/kit/media';
import type { PartialDownload } from './drafts.ts';
import type { ReceivedPart } from './request-file.ts';

/** The facts that identify a file: validator, length and URL. */
export type Whole = Omit<ReceivedPart, 'bytes'>;

/** The content of a file so far. */
export class Content {
  readonly draft: Draft;
  bytes: number;
  #hash: Hash;
  #start: Buffer;
  #whole: Whole | undefined;

  constructor(begun?: PartialDownload) {
    this.draft = begun?.draft ?? new Draft();
    this.bytes = this.draft.bytes;
    this.#hash = begun?.hash ?? createHash('sha256');
    this.#start = begun?.start ?? Buffer.alloc(0);
    this.#whole = begun;
  }

  /** Returns the part that a range request can continue. */
  get before(): ReceivedPart | undefined {
    return this.bytes === 0 || this.#whole === undefined ? undefined : { bytes: this.bytes, ...this.#whole };
  }

  /** Returns what a failed download leaves in its draft, if a later one can continue it. */
  get begun(): PartialDownload | undefined {
    const whole = this.#whole;
    if (this.draft.bytes === 0 || this.draft.bytes !== this.bytes || whole === undefined) return undefined;
    const { validator, total, origin } = whole;
    return { draft: this.draft, hash: this.#hash, start: this.#start, validator, total, origin };
  }

  /** Returns the first bytes of the file. */
  get start(): Buffer {
    return this.#start;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Discards all content, for a file that `whole` identifies; without it, a failure leaves nothing to continue. */
  restart(whole?: Whole): void {
    this.draft.discard();
    this.bytes = 0;
    this.#hash = createHash('sha256');
    this.#start = Buffer.alloc(0);
    this.#whole = whole;
  }

  /** Adds a piece that was written. */
  add(piece: Buffer): void {
    this.bytes += piece.length;
    this.#hash.update(piece);
    const missing = SAMPLE_BYTES - this.#start.length;
    if (missing > 0) this.#start = Buffer.concat([this.#start, piece.subarray(0, missing)]);
  }
}
