import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type BoundUpdate, CONTROL, GIVE_ALL } from './messages.ts';

// work handed over sooner costs more in messages than it gains in fairness
const LEAST_SLICE_MS = 10;

/** Reads the requests of the main thread to a busy worker between two entries, without returning to the event loop. */
export class Attention {
  /** The requested part of the work, half or all, until `given` is called. */
  wanted = 0;
  stopped = false;
  bound: string | undefined;
  readonly #control: Int32Array;
  readonly #updates: MessagePort;
  readonly #run: number;
  readonly #since = performance.now();
  #seen = -1;

  constructor(control: Int32Array, updates: MessagePort, run: number, bound: string | undefined) {
    this.#control = control;
    this.#updates = updates;
    this.#run = run;
    this.bound = bound;
  }

  /** Returns whether a request is new or open; cheap enough to call between any two entries. */
  changed(): boolean {
    const now = Atomics.load(this.#control, CONTROL.attention);
    if (now === this.#seen && this.wanted === 0) return false;
    this.#seen = now;
    this.#read();
    return true;
  }

  /** Returns whether the run was stopped. */
  halted(): boolean {
    return this.stopped || Atomics.load(this.#control, CONTROL.stop) === this.#run;
  }

  /** Returns whether to hand over all of the work now. */
  yields(): boolean {
    return this.wanted === GIVE_ALL && performance.now() - this.#since >= LEAST_SLICE_MS;
  }

  /** Ends the request: the work was handed over. */
  given(): void {
    this.wanted = 0;
  }

  #read(): void {
    this.stopped = this.halted();
    this.wanted = Math.max(this.wanted, Atomics.exchange(this.#control, CONTROL.give, 0));
    for (
      let next = receiveMessageOnPort(this.#updates);
      next !== undefined;
      next = receiveMessageOnPort(this.#updates)
    ) {
      const update = next.message as BoundUpdate; // this port carries nothing else
      if (update.run === this.#run) this.bound = update.bound;
    }
  }
}
