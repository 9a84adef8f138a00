import { WatchHub } from '@rootbound/kit/watch';
import type { Notes } from './notes.ts';

/** Watches notes for subscribers, and the folder for the list of resources. */
export class Watching {
  readonly #hub: WatchHub;
  readonly #listChanged: () => void;
  readonly #folders = new Set<string>();

  constructor(listChanged: () => void, onError: (error: unknown) => void) {
    this.#listChanged = listChanged;
    this.#hub = new WatchHub({ onError });
  }

  /** Calls `changed` after each change of a note, by this server or another program; returns the end of the watch. */
  watchNote(notes: Notes, name: string, changed: () => void): Promise<() => void> {
    return this.#hub.watch(notes.locate(name), 'file', changed);
  }

  /** Announces from now on when a note of the folder appears or disappears. */
  async watchFolder({ folder }: Notes): Promise<void> {
    if (this.#folders.has(folder)) return;
    this.#folders.add(folder);
    await this.#hub.watch(folder, 'directory', this.#listChanged);
  }

  /** Looks again after the roots have changed. */
  lookAgain(): void {
    this.#hub.lookAgain();
  }

  close(): Promise<void> {
    return this.#hub.close();
  }
}
