import { awaitSnapshot, isUnchanged, mayHideChange, type Snapshot, takeSnapshot } from './snapshot.ts';

/** milliseconds between looks at a path while there are few */
export const POLL_MS = 200;
/** paths that are looked at in that time; the others follow in the next one */
const POLL_SHARE = 100;
/** paths that may be polled: each is then looked at every four seconds */
export const MOST_POLLED = 2_000;

/**
 * Polls paths in directories that the OS does not watch. One look at a time, beside the event loop, so that a network
 * server that does not answer blocks one thread and nothing else.
 */
export class Poller {
  readonly #changed: (path: string) => void;
  /** the last state of each path, in the order of their turns */
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
