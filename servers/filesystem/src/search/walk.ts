import type { Attention } from './attention.ts';
import type { Directory } from './directory.ts';
import { errorCode, hasCode } from './entries.ts';
import { type Frame, Frames } from './frames.ts';
import { type Ignores, textsOf, withIgnores } from './ignores.ts';
import { ENTER, RESULT } from './listing.ts';
import { type Chunk, COUNT, FIRST_FAILURES, type Task } from './messages.ts';
import { orderKey } from './order.ts';
import type { SearchFailure } from './outcome.ts';
import type { SearchRoot } from './query.ts';
import { type Reading, readDirectory, readIgnoresAbove } from './read-directory.ts';

/** Processes the entries that the globs of a search select. */
export interface Visitor {
  /** Processes one entry; returns its number of results. */
  visit(frames: Frames, frame: Frame, name: string, kind: number): number;
  /** Removes and returns the results since the last call. */
  take(): Chunk | undefined;
}

export interface WalkOptions extends Omit<Reading, 'onUnread'> {
  root: SearchRoot;
  visitor: Visitor;
  /** Whether results are in the order of the walk, so that the limit ends it. */
  ordered: boolean;
  limit: number;
  counts: Int32Array;
  post: { found(chunk: Chunk): void; give(tasks: Task[]): void };
}

const MOST_UNSENT = 4096;
// a change between listing and opening is not a failure: the listed entry no longer exists
const VANISHED = ['ENOENT', 'ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EAGAIN'];

/** One task of a search: walks directories depth first, in order, and hands over work on request. */
export class Walk {
  readonly failures: SearchFailure[] = [];
  readonly #options: WalkOptions;
  readonly #attention: Attention;
  readonly #frames: Frames;
  readonly #reading: Reading;
  /** Number of results after which no other result of this task can be among the first `limit`. */
  readonly #enough: number;
  readonly #flushAt: number;
  #found = 0;
  #unsent = 0;

  constructor(options: WalkOptions, attention: Attention) {
    this.#options = options;
    this.#attention = attention;
    this.#frames = new Frames(options.access, options.root);
    this.#reading = { ...options, onUnread: (path, error) => this.#fail(this.#below(path), error) };
    // one result beyond the limit shows that the list is truncated
    this.#enough = options.ordered ? options.limit + 1 : Number.POSITIVE_INFINITY;
    this.#flushAt = options.ordered
      ? Math.min(MOST_UNSENT, Math.max(8, Math.ceil(this.#enough / 4)))
      : Number.POSITIVE_INFINITY;
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
      this.#list('', this.#frames.root, readIgnoresAbove(this.#reading));
    } else {
      const { prefix, names, ignores: texts } = task;
      const ignores = texts?.reduce<Ignores | undefined>(withIgnores, undefined);
      this.#frames.push({
        prefix,
        names: names.split('/'),
        kinds: task.kinds!,
        directory: undefined,
        ignores,
      });
    }
  }

  #work(): void {
    for (let frame = this.#frames.top; frame !== undefined; frame = this.#frames.top) {
      if (frame.next === frame.end) {
        if (frame.split && this.#options.ordered) this.#flush();
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

  /** Handles a request of the main thread; returns whether this task has ended. */
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

  /** Removes and returns the second half of the shallowest directory with enough entries. */
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
      // the parent is done, so a chain of directories needs no stack
      if (parent.next === parent.end && !parent.split) this.#frames.pop();
      this.#list(prefix, directory, parent.ignores);
    } catch (error) {
      this.#fail(prefix.slice(0, -1), error);
    }
  }

  #list(prefix: string, directory: Directory, outer: Ignores | undefined): void {
    const { access, listing } = this.#options;
    let ignores: Ignores | undefined;
    try {
      ignores = readDirectory(this.#reading, prefix, directory, outer);
    } catch (error) {
      if (directory !== this.#frames.root) access.leave(directory);
      throw error;
    }
    this.#frames.push({ prefix, directory, names: listing.names, kinds: listing.kinds, ignores });
  }

  /** Returns a path from the topmost folder of ignore files as one from the root; above the root only the name. */
  #below(path: string): string {
    const { pathToRoot } = this.#options.ignoring ?? { pathToRoot: '' };
    return path.startsWith(pathToRoot)
      ? path.slice(pathToRoot.length)
      : path.slice(path.lastIndexOf('/') + 1);
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

/** Returns whether the entries from `from` on are worth a task: a directory, or several files. */
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
      ...(frame.ignores !== undefined && { ignores: textsOf(frame.ignores) }),
    },
  ];
}
