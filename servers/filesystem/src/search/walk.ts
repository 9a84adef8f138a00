import type { Attention } from './attention.ts';
import type { Directory, DirectoryAccess } from './directory.ts';
import { errorCode, hasCode } from './entries.ts';
import { type Frame, Frames } from './frames.ts';
import { ENTER, type Listing, RESULT } from './listing.ts';
import { type Chunk, COUNT, FIRST_FAILURES, type Task } from './messages.ts';
import { orderKey } from './order.ts';
import type { SearchFailure } from './outcome.ts';
import type { SearchRoot } from './query.ts';

/** What a search does with an entry that its globs select. */
export interface Visitor {
  /** Looks at one entry and says how many results it gave. */
  visit(frames: Frames, frame: Frame, name: string, kind: number): number;
  /** What was found since the last call. */
  take(): Chunk | undefined;
}

export interface WalkOptions {
  root: SearchRoot;
  access: DirectoryAccess;
  listing: Listing;
  visitor: Visitor;
  limit: number;
  counts: Int32Array;
  post: { found(chunk: Chunk): void; give(tasks: Task[]): void };
}

const MOST_UNSENT = 4096;
// what changed between listing and opening is no failure: it is no longer what was listed
const VANISHED = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EAGAIN'];

/** One task of a search: works through directories depth first, in order, and hands work over when asked. */
export class Walk {
  readonly failures: SearchFailure[] = [];
  readonly #options: WalkOptions;
  readonly #attention: Attention;
  readonly #frames: Frames;
  /** Results after which nothing of this task can be among the first `limit`. */
  readonly #enough: number;
  readonly #flushAt: number;
  #found = 0;
  #unsent = 0;

  constructor(options: WalkOptions, attention: Attention) {
    this.#options = options;
    this.#attention = attention;
    this.#frames = new Frames(options.access, options.root);
    // one more than the limit proves that the list is truncated
    this.#enough = options.limit + 1;
    this.#flushAt = Math.min(MOST_UNSENT, Math.max(8, Math.ceil(this.#enough / 4)));
  }

  run(task: Task): void {
    try {
      this.#start(task);
      this.#work();
    } finally {
      this.#frames.clear();
      this.#flush();
    }
  }

  #start(task: Task): void {
    if (task.names === undefined) {
      this.#list('', this.#frames.root);
    } else {
      this.#frames.push(task.prefix, undefined, task.names.split('/'), task.kinds!);
    }
  }

  #work(): void {
    for (let frame = this.#frames.top; frame !== undefined; frame = this.#frames.top) {
      if (frame.next === frame.end) {
        if (frame.split) this.#flush();
        this.#frames.pop();
        continue;
      }
      if (this.#attention.changed() && this.#attend()) return;
      const name = frame.names[frame.next]!;
      const kind = frame.kinds[frame.next]!;
      const bound = this.#attention.bound;
      if (bound !== undefined && orderKey(frame.prefix + name) > bound) return;
      frame.next++;
      if ((kind & RESULT) !== 0 && this.#visit(frame, name, kind)) return;
      if ((kind & ENTER) !== 0) this.#enter(frame, name);
    }
  }

  /** Does what the main thread asked for; true when this task is over. */
  #attend(): boolean {
    const attention = this.#attention;
    if (attention.stopped) return true;
    if (attention.wanted === 0) return false;
    const all = attention.yields();
    const tasks = all ? this.#frames.all.flatMap((frame) => taskOf(frame, frame.next)) : this.#half();
    if (all || tasks.length > 0) {
      attention.given();
      this.#options.post.give(tasks);
    }
    return all;
  }

  /** The later half of the shallowest directory that has enough left. */
  #half(): Task[] {
    const top = this.#frames.top;
    for (const frame of this.#frames.all) {
      const left = frame.end - frame.next;
      if (left === 0 || (left === 1 && frame === top)) continue;
      const from = frame.next + (left >> 1);
      if (!isWorth(frame, from)) continue;
      const tasks = taskOf(frame, from);
      frame.end = from;
      frame.split = true;
      return tasks;
    }
    return [];
  }

  #visit(frame: Frame, name: string, kind: number): boolean {
    let results = 0;
    try {
      results = this.#options.visitor.visit(this.#frames, frame, name, kind);
    } catch (error) {
      this.#fail(frame.prefix + name, error);
    }
    if (results === 0) return false;
    this.#found += results;
    this.#unsent += results;
    this.#options.counts[COUNT.found]! += results;
    if (this.#unsent >= this.#flushAt) this.#flush();
    return this.#found >= this.#enough;
  }

  #enter(parent: Frame, name: string): void {
    const prefix = `${parent.prefix}${name}/`;
    try {
      const directory = this.#frames.enter(parent, name);
      // nothing else needs the parent's handle, and a chain of directories needs no stack
      if (parent.next === parent.end && !parent.split) this.#frames.pop();
      this.#list(prefix, directory);
    } catch (error) {
      this.#fail(prefix.slice(0, -1), error);
    }
  }

  #list(prefix: string, directory: Directory): void {
    const listing = this.#options.listing;
    listing.open(prefix);
    try {
      this.#options.access.list(directory, listing);
    } catch (error) {
      if (directory !== this.#frames.root) this.#options.access.leave(directory);
      throw error;
    }
    listing.close();
    this.#frames.push(prefix, directory, listing.names, listing.kinds);
  }

  #fail(path: string, error: unknown): void {
    if (hasCode(error, ...VANISHED)) return;
    this.#options.counts[COUNT.errors]!++;
    if (this.failures.length < FIRST_FAILURES) this.failures.push({ path, code: errorCode(error) });
  }

  #flush(): void {
    this.#unsent = 0;
    const chunk = this.#options.visitor.take();
    if (chunk !== undefined) this.#options.post.found(chunk);
  }
}

/** Whether another worker gains from the entries from `from` on: a directory, or several files to read. */
function isWorth(frame: Frame, from: number): boolean {
  for (let index = from; index < frame.end; index++) if ((frame.kinds[index]! & ENTER) !== 0) return true;
  return frame.end - from >= 2;
}

function taskOf(frame: Frame, from: number): Task[] {
  if (from >= frame.end) return [];
  return [
    {
      prefix: frame.prefix,
      names: frame.names.slice(from, frame.end).join('/'),
      kinds: Uint8Array.from(Array.prototype.slice.call(frame.kinds, from, frame.end)),
    },
  ];
}
