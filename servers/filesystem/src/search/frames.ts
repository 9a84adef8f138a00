import type { Directory, DirectoryAccess } from './directory.ts';
import type { Ignores } from './ignores.ts';
import type { SearchRoot } from './query.ts';

/** A directory in the walk, with its selected entries in order. */
export interface Frame {
  readonly prefix: string;
  readonly names: string[];
  readonly kinds: ArrayLike<number>;
  next: number;
  end: number;
  /** Whether entries after `end` were handed over: later results then need another chunk. */
  split: boolean;
  /** Undefined while too many directories are open; reopened when needed. */
  directory: Directory | undefined;
  /** The ignore files that apply in it and below. */
  readonly ignores: Ignores | undefined;
}

const MOST_OPEN = 48;
const REOPENED = 40;

/** The directories from the root to the present one of the walk, of which a bounded number is open. */
export class Frames {
  readonly #access: DirectoryAccess;
  readonly root: Directory;
  readonly #stack: Frame[] = [];
  #open = 0;

  constructor(access: DirectoryAccess, root: SearchRoot) {
    this.#access = access;
    this.root = access.root(root);
  }

  get all(): readonly Frame[] {
    return this.#stack;
  }

  get top(): Frame | undefined {
    return this.#stack.at(-1);
  }

  push(frame: Pick<Frame, 'prefix' | 'names' | 'kinds' | 'directory' | 'ignores'>): void {
    const { directory, names } = frame;
    this.#stack.push({ ...frame, next: 0, end: names.length, split: false });
    if (directory === undefined || directory === this.root || ++this.#open <= MOST_OPEN) return;
    const oldest = this.#stack.find(
      (frame) => frame.directory !== undefined && frame.directory !== this.root,
    );
    if (oldest !== undefined) this.#shut(oldest);
  }

  pop(): void {
    const frame = this.#stack.pop();
    if (frame !== undefined) this.#shut(frame);
  }

  clear(): void {
    while (this.#stack.length > 0) this.pop();
  }

  /** Returns the handle of a frame, reopened from the nearest open ancestor if it was closed. */
  directory(frame: Frame): Directory {
    frame.directory ??= this.#reach(frame.prefix);
    return frame.directory;
  }

  /** Opens the directory that `prefix` names, one segment at a time. */
  #reach(prefix: string): Directory {
    const above = this.#stack.findLast(
      (frame) => frame.directory !== undefined && prefix.startsWith(frame.prefix),
    );
    let at = above?.prefix ?? '';
    let directory = above?.directory ?? this.root;
    while (at.length < prefix.length) {
      const end = prefix.indexOf('/', at.length);
      let next: Directory;
      try {
        next = this.#access.enter(directory, prefix.slice(at.length, end));
      } finally {
        this.#release(directory);
      }
      at = prefix.slice(0, end + 1);
      directory = next;
      if (at.length < prefix.length) this.#keep(at, directory);
    }
    if (directory !== this.root) this.#open++;
    return directory;
  }

  // the walk returns through these directories, so the deepest ones stay open
  #keep(prefix: string, directory: Directory): void {
    const frame = this.#stack.findLast((candidate) => candidate.prefix === prefix);
    if (frame === undefined || this.#stack.length - this.#stack.indexOf(frame) > REOPENED) return;
    frame.directory = directory;
    this.#open++;
  }

  #release(directory: Directory): void {
    const held = directory === this.root || this.#stack.some((frame) => frame.directory === directory);
    if (!held) this.#access.leave(directory);
  }

  #shut(frame: Frame): void {
    const directory = frame.directory;
    frame.directory = undefined;
    if (directory === undefined || directory === this.root) return;
    this.#access.leave(directory);
    this.#open--;
  }

  enter(parent: Frame, name: string): Directory {
    return this.#access.enter(this.directory(parent), name);
  }
}
