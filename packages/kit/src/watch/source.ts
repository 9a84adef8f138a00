import type { FSWatcher } from 'chokidar';
import { yieldToEventLoop } from '../primitives/yield.ts';
import { type FileSystemType, whyNotNotified } from './network.ts';
import { Poller } from './poller.ts';

export interface SourceOptions {
  /** polls instead of using OS watches */
  readonly usePolling: boolean;
  /** returns the number of a directory's file system */
  readonly fileSystemType: FileSystemType | undefined;
}

export interface SourceEvents {
  /** something happened in `directory`, to its entry `name` (or to itself: then `name` is its own) */
  onEntry: (directory: string, name: string | null, kind: 'rename' | 'change') => void;
  /** polling found `path` changed */
  onPoll: (path: string) => void;
  /** an OS watch failed; which one is not always known */
  onBroken: (error: NodeJS.ErrnoException) => void;
}

/** An OS watch, or the reason why there is none; neither when the directory was deleted. */
export interface Opened {
  readonly stop?: () => void;
  readonly refusal?: NodeJS.ErrnoException;
}

/**
 * The OS watches of one hub, which are chokidar's, and its polling. Chokidar's own events are not used: chokidar 5
 * drops a second change within 50 ms, can lose a file that is replaced twice within 5 ms, and lists the whole directory
 * at every event. So the hub takes its raw events, from the one call in chokidar that does nothing else.
 */
export class Source {
  readonly #options: SourceOptions;
  readonly #events: SourceEvents;
  readonly #poller: Poller;
  #loading: Promise<void> | undefined;
  #native: FSWatcher | undefined;
  #refusal: NodeJS.ErrnoException | undefined;
  #opening = false;
  #open = 0;

  constructor(options: SourceOptions, events: SourceEvents) {
    this.#options = options;
    this.#events = events;
    this.#poller = new Poller((path) => events.onPoll(path));
  }

  /** the number of OS watches */
  get held(): number {
    return this.#open;
  }

  /** whether paths are polled by choice (`usePolling`, or chokidar's CHOKIDAR_USEPOLLING) */
  get polls(): boolean {
    return this.#native?.options.usePolling ?? this.#options.usePolling;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { FSWatcher } = await import('chokidar');
    this.#native = new FSWatcher({ usePolling: this.#options.usePolling });
    this.#native.on('raw', (kind, name, details) => {
      // Node gives no name when the OS gave none, and chokidar's details are always this object for an OS watch
      const { watchedPath } = details as { watchedPath: string };
      this.#events.onEntry(watchedPath, name, kind as 'rename' | 'change');
    });
    this.#native.on('error', (error) => {
      // chokidar passes on the errors of fs.watch, which are system errors
      const failure = error as NodeJS.ErrnoException;
      if (this.#opening) this.#refusal = failure;
      else this.#events.onBroken(failure);
    });
  }

  /** Takes an OS watch on a directory: its entries, and its own deletion. */
  openDirectory(path: string): Opened {
    const untold = whyNotNotified(path, this.#options.fileSystemType);
    if (untold !== undefined) return { refusal: untold };
    this.#opening = true;
    this.#refusal = undefined;
    const close = watchOnly(this.#native!, path);
    this.#opening = false;
    if (close === undefined) return this.#refusal === undefined ? {} : { refusal: this.#refusal };
    this.#open += 1;
    return {
      stop: () => {
        this.#open -= 1;
        close();
      },
    };
  }

  /** Polls one path, which may be missing; undefined when the maximum is polled. */
  poll(path: string): (() => void) | undefined {
    return this.#poller.full ? undefined : this.#poller.add(path);
  }

  async close(): Promise<void> {
    await this.#native?.close();
    this.#poller.close();
    // the loop releases a closed watch at the end of a turn: after the first of these two, before the second
    await yieldToEventLoop();
    await yieldToEventLoop();
  }
}

function watchOnly(watcher: FSWatcher, path: string): (() => void) | undefined {
  const close = watcher._nodeFsHandler._watchWithNodeFs(path, () => {});
  // chokidar keeps every name it was ever given; the hub counts itself and removes names
  watcher._watched.clear();
  return close;
}
