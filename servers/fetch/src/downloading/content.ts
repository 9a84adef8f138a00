import { createHash, type Hash } from 'node:crypto';
import { Draft } from '@rootbound/kit/boundary';
import { SAMPLE_BYTES } from '@rootbound/kit/media';
import type { Before } from './arrive.ts';
import type { Begun } from './drafts.ts';

/** What has come of a file. */
export class Content {
  readonly draft: Draft;
  bytes: number;
  #hash: Hash;
  #start: Buffer;
  #validator: string | undefined;

  constructor(begun?: Begun) {
    this.draft = begun?.draft ?? new Draft();
    this.bytes = this.draft.bytes;
    this.#hash = begun?.hash ?? createHash('sha256');
    this.#start = begun?.start ?? Buffer.alloc(0);
    this.#validator = begun?.validator;
  }

  /** What can be gone on with. */
  get before(): Before | undefined {
    const validator = this.#validator;
    return this.bytes === 0 || validator === undefined ? undefined : { bytes: this.bytes, validator };
  }

  /** What a failure has left in the draft, where it can be gone on with. */
  get begun(): Begun | undefined {
    const validator = this.#validator;
    if (this.draft.bytes === 0 || this.draft.bytes !== this.bytes || validator === undefined)
      return undefined;
    return { draft: this.draft, hash: this.#hash, start: this.#start, validator };
  }

  /** The first bytes. */
  get start(): Buffer {
    return this.#start;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Forgets all that came, for something that this tells from its later forms. */
  restart(validator: string | undefined): void {
    this.draft.discard();
    this.bytes = 0;
    this.#hash = createHash('sha256');
    this.#start = Buffer.alloc(0);
    this.#validator = validator;
  }

  /** Counts a piece that was written. */
  add(piece: Buffer): void {
    this.bytes += piece.length;
    this.#hash.update(piece);
    const missing = SAMPLE_BYTES - this.#start.length;
    if (missing > 0) this.#start = Buffer.concat([this.#start, piece.subarray(0, missing)]);
  }
}
