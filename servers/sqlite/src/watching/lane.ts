import { ToolError } from '@rootbound/protocol';
import type { WatchArgs } from '../lane/verbs/watch.ts';
import type { Observation } from '../lane/watching/watched-file.ts';
import { Child, type ChildOptions } from '../lanes/child.ts';
import { fromLane, toLane } from '../shared/frames.ts';

interface Waiting {
  readonly resolve: (seen: Observation | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Time limit of a check, ms; later its result would be useless. */
const LOOK_MS = 10_000;

/** The process that checks databases for changes, one for all of them; started when first needed. */
export class WatchLane {
  readonly #options: ChildOptions;
  #child: Child | undefined;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Returns the changes since the last check, of these tables and in total. */
  async look(path: string, tables: readonly string[]): Promise<Observation> {
    const args = { path, tables };
    // the process may have ended unnoticed
    const seen = await this.#run(args).catch((error: unknown) => {
      if (this.#closed || !(error instanceof ToolError)) throw error;
      return this.#run(args);
    });
    if (seen === undefined) throw new Error('the process that checks databases returned no answer');
    return seen;
  }

  /** The id of the process, for measurements and tests. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ends watching a database. */
  forget(path: string): void {
    if (this.#child === undefined) return;
    // a process that has ended has forgotten it anyway
    this.#run({ path, tables: undefined }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined) return;
    this.#lost(child);
    child.ref();
    await child.kill();
  }

  async #run(args: WatchArgs): Promise<Observation | undefined> {
    if (this.#closed) throw ended();
    const child = this.#started();
    const answered = new Promise<Observation | undefined>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    // the caller gets the failure from the promise
    answered.catch(() => {});
    await child.ready.catch(() => this.#lost(child));
    if (this.#child === child) {
      child.send(toLane.request, [JSON.stringify({ verb: 'watch', args })]);
      this.#timer ??= this.#deadline(child);
    }
    return answered;
  }

  #started(): Child {
    if (this.#child !== undefined) return this.#child;
    const child = new Child(this.#options);
    this.#child = child;
    child.attach({
      frame: (kind, bytes) => this.#take(child, kind, bytes),
      gone: () => this.#lost(child),
    });
    return child;
  }

  #take(child: Child, kind: number, bytes: Buffer): void {
    if (child !== this.#child) return;
    const waiting = this.#waiting.shift();
    clearTimeout(this.#timer);
    this.#timer = this.#waiting.length > 0 ? this.#deadline(child) : undefined;

    if (kind === fromLane.failure) waiting?.reject(new Error(bytes.toString()));
    else waiting?.resolve(factsOf(bytes));
  }

  #deadline(child: Child): NodeJS.Timeout {
    return setTimeout(() => void child.kill(), LOOK_MS);
  }

  #lost(child: Child): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(ended());
  }
}

function factsOf(bytes: Buffer): Observation | undefined {
  const { facts } = JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0))) as {
    facts: Observation | null;
  }; // written by the lane
  return facts ?? undefined;
}

function ended(): ToolError {
  return new ToolError('the process that watches databases ended', { code: 'lane-ended', retryable: true });
}
