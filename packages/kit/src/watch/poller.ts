import { awaitSnapshot, isUnchanged, mayHideChange, type Snapshot, takeSnapshot } from './snapshot.ts';

/** how often a path is looked at while there are few */
export const POLL_MS = 200;
/** how many are looked at in that time, so that the rest waits for the next */
const POLL_SHARE = 100;
/** how many paths may be polled: each is then looked at every four seconds */
export const MOST_POLLED = 2_000;

/**
 * Looks at paths again and again, for directories that the OS does not watch. One look at a time, beside the event
 * loop, so that a server of a network mount that does not answer holds one thread and nothing else.
 */
export class Poller {
  readonly #changed: (path: string) => void;
  /** what was seen last; the order is that of the turns */
  readonly #paths = new Map<string, Snapshot | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(changed: (path: string) => void) {
    this.#changed = changed;
  }

  get full(): boolean {
    return this.#paths.size >= MOST_POLLED;
  }

  /** Polls one path, which may be missing, until the returned function is called. */
  add(path: string): () => void {
    this.#paths.set(path, takeSnapshot(path));
    this.#schedule();
    return () => {
      this.#paths.delete(path);
      if (this.#paths.size === 0) this.close();
    };
  }

  close(): void {
    this.#paths.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#looking) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#turn();
    }, POLL_MS);
  }

  async #turn(): Promise<void> {
    this.#looking = true;
    for (const path of [...this.#paths.keys()].slice(0, POLL_SHARE)) await this.#look(path);
    this.#looking = false;
    if (this.#paths.size > 0) this.#schedule();
  }

  async #look(path: string): Promise<void> {
    const before = this.#paths.get(path);
    const now = await awaitSnapshot(path);
    if (!this.#paths.delete(path)) return;
    this.#paths.set(path, now);
    if (!isUnchanged(before, now) || (before !== undefined && mayHideChange(before))) this.#changed(path);
  }
}
