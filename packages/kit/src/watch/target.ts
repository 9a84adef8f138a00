import { Pace } from './pace.ts';
import {
  hasSameContentStamps,
  isUnchanged,
  mayBeHalfSaved,
  mayHideChange,
  mayHideContent,
  type Snapshot,
} from './snapshot.ts';

export type WatchKind = 'file' | 'directory' | 'missing' | 'any';

/** The kind of a watched path, as far as it decides how its content is read. */
export type Seen = Pick<Snapshot, 'kind' | 'size'>;

/**
 * Returns a digest of a watched path's content; undefined where that would cost too much or cannot be read, and then
 * size, time and number of the file decide.
 */
export type Digest = (seen: Seen) => string | undefined;

export interface Subscriber {
  readonly kind: WatchKind;
  readonly changed: () => void;
  readonly digest: Digest | undefined;
  readonly uncounted: boolean;
}

const HALF_SAVED_MS = 20;

/**
 * A watched path: its subscribers, its last state, and its content then. A state that may be a moment of a save is
 * reported when it lasts; a path that changes without a pause is looked at now and then, and at the end.
 */
export class Target {
  readonly subscribers = new Set<Subscriber>();
  /** ends the polling in the place of an OS watch */
  stopPolling: (() => void) | undefined;
  /** the reason why no changes of it can be reported */
  deaf = false;
  #snapshot: Snapshot | undefined;
  #content: string | undefined;
  #settled = false;
  readonly #due: (named: boolean) => void;
  readonly #onError: (error: Error) => void;
  readonly #pace = new Pace();
  #timer: NodeJS.Timeout | undefined;
  /** whether the timer waits for the end of a save, and not for the end of a pause */
  #doubts = false;
  /** whether a state that may be half saved has lasted */
  #lasted = false;
  /** whether a delayed look is due because of an event that names the path */
  #named = false;

  /** `due` is called when it is time for a delayed look. */
  constructor(
    snapshot: Snapshot | undefined,
    due: (named: boolean) => void,
    onError: (error: Error) => void,
  ) {
    this.#snapshot = snapshot;
    this.#due = due;
    this.#onError = onError;
  }

  /** whether a subscriber wants the children, should this be a directory */
  get wantsChildren(): boolean {
    for (const { kind } of this.subscribers) if (kind !== 'file') return true;
    return false;
  }

  /** whether it counts against the limit */
  get counts(): boolean {
    for (const { uncounted } of this.subscribers) if (!uncounted) return true;
    return false;
  }

  /** Returns whether it may be looked at now; otherwise a look is due later, and nothing is lost. */
  admits(named: boolean): boolean {
    this.#named ||= named;
    if (this.#timer !== undefined) return this.#doubts;
    const pause = this.#pace.left();
    if (pause > 0) this.#wait(pause, false);
    return pause <= 0;
  }

  /** Records the present state, and calls the subscribers when its content differs. */
  see(now: Snapshot | undefined): void {
    const before = this.#snapshot;
    const digest = this.#digest();
    if (digest !== undefined && !this.#lasted && mayBeHalfSaved(before, now)) {
      if (this.#timer === undefined) this.#wait(HALF_SAVED_MS, true);
      return;
    }
    this.#stopWaiting();
    const named = this.#named;
    this.#named = false;
    this.#lasted = false;
    this.#snapshot = now;
    // named, with equal timestamps: trusted when they are old
    const hidden = named && (before === undefined || mayHideChange(before));
    if (!hidden && isUnchanged(before, now)) return;
    const changed = digest === undefined || this.#isOther(digest, before, now, hidden);
    if (changed) this.#call();
    else this.#pace.looked();
  }

  /** Records the content with which later ones are compared, once. */
  settle(): void {
    const digest = this.#digest();
    if (digest === undefined || this.#settled) return;
    this.#settled = true;
    this.#content = this.#read(digest, this.#snapshot);
  }

  close(): void {
    this.#stopWaiting();
    this.stopPolling?.();
    this.stopPolling = undefined;
    this.subscribers.clear();
  }

  #isOther(
    digest: Digest,
    before: Snapshot | undefined,
    now: Snapshot | undefined,
    hidden: boolean,
  ): boolean {
    const known = this.#content;
    const began = performance.now();
    // read before anybody is called: subscribers then read this content, or a newer one that is reported again
    this.#content = this.#read(digest, now);
    this.#pace.cost(performance.now() - began);
    // deleted before and after, and named: it appeared and vanished
    if (before === undefined || now === undefined) return true;
    if (before.kind !== now.kind) return true;
    if (known !== undefined && this.#content !== undefined) return known !== this.#content;
    // a mode set in the same tick is no content: only a young time of change may hide one
    return (hidden && mayHideContent(before)) || !hasSameContentStamps(before, now);
  }

  #digest(): Digest | undefined {
    for (const { digest } of this.subscribers) if (digest !== undefined) return digest;
    return undefined;
  }

  #read(digest: Digest, now: Snapshot | undefined): string | undefined {
    try {
      return now && digest(now);
    } catch (error) {
      this.#onError(new Error(`a watched path cannot be read: ${String(error)}`, { cause: error }));
      return undefined;
    }
  }

  #wait(ms: number, doubts: boolean): void {
    this.#doubts = doubts;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lasted = doubts;
      this.#due(this.#named);
    }, ms);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #call(): void {
    this.#pace.looked();
    // a copy: a subscriber may stop, and watch again
    const notified = [...this.subscribers];
    for (const { changed } of notified) {
      try {
        changed();
      } catch (error) {
        this.#onError(new Error(`a subscriber of the watch hub threw: ${String(error)}`, { cause: error }));
      }
    }
  }
}
