import type { Snapshot } from './snapshot.ts';

export type WatchKind = 'file' | 'directory' | 'missing' | 'any';

export interface Subscriber {
  readonly kind: WatchKind;
  readonly changed: () => void;
}

const FREE_CALLS = 4;
const PACE_MS = 5;
const QUIET_MS = 20;

/**
 * A watched path: who wants to know, what was there last, and how often they have been told. The first calls of
 * a burst go out at once, later ones every 5 ms, and the last change of a burst is always followed by a call.
 */
export class Target {
  readonly subscribers = new Set<Subscriber>();
  snapshot: Snapshot | undefined;
  /** ends the polling that stands in for an OS watch */
  stopPolling: (() => void) | undefined;
  readonly #onError: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  #calledAt = Number.NEGATIVE_INFINITY;
  #streak = 0;

  constructor(snapshot: Snapshot | undefined, onError: (error: Error) => void) {
    this.snapshot = snapshot;
    this.#onError = onError;
  }

  /** whether a call is due anyway, so that nothing needs to be looked at before it */
  get owesCall(): boolean {
    return this.#timer !== undefined;
  }

  /** whether a subscriber wants the children, should this be a directory */
  get wantsChildren(): boolean {
    for (const { kind } of this.subscribers) if (kind !== 'file') return true;
    return false;
  }

  announce(): void {
    if (this.#timer !== undefined) return;
    const since = performance.now() - this.#calledAt;
    if (since > QUIET_MS) this.#streak = 0;
    if (this.#streak < FREE_CALLS || since >= PACE_MS) this.#call();
    else this.#timer = setTimeout(() => this.#call(), PACE_MS - since);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.stopPolling?.();
    this.stopPolling = undefined;
    this.subscribers.clear();
  }

  #call(): void {
    this.#timer = undefined;
    this.#streak += 1;
    this.#calledAt = performance.now();
    // a copy: whoever is told may stop, and watch again
    const told = [...this.subscribers];
    for (const { changed } of told) {
      try {
        changed();
      } catch (error) {
        this.#onError(new Error(`a subscriber of the watch hub threw: ${String(error)}`, { cause: error }));
      }
    }
  }
}
