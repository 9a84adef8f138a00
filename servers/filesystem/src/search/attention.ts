import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { CONTROL, GIVE_ALL, type News } from './messages.ts';

// work taken back sooner would cost more in messages than it gives in fairness
const LEAST_SLICE_MS = 10;

/** What the main thread wants from a busy worker, read between two entries without returning to the event loop. */
export class Attention {
  /** Half or all of the work is asked for; stays until `given`. */
  wanted = 0;
  stopped = false;
  bound: string | undefined;
  readonly #control: Int32Array;
  readonly #news: MessagePort;
  readonly #run: number;
  readonly #since = performance.now();
  #seen = -1;

  constructor(control: Int32Array, news: MessagePort, run: number, bound: string | undefined) {
    this.#control = control;
    this.#news = news;
    this.#run = run;
    this.bound = bound;
  }

  /** True when something changed; cheap enough to ask between any two entries. */
  changed(): boolean {
    const now = Atomics.load(this.#control, CONTROL.attention);
    if (now === this.#seen && this.wanted === 0) return false;
    this.#seen = now;
    this.#read();
    return true;
  }

  /** Whether the run was stopped, whatever else is wanted. */
  halted(): boolean {
    return this.stopped || Atomics.load(this.#control, CONTROL.stop) === this.#run;
  }

  /** Whether all of the work is to be handed back now. */
  yields(): boolean {
    return this.wanted === GIVE_ALL && performance.now() - this.#since >= LEAST_SLICE_MS;
  }

  given(): void {
    this.wanted = 0;
  }

  #read(): void {
    this.stopped = this.halted();
    this.wanted = Math.max(this.wanted, Atomics.exchange(this.#control, CONTROL.give, 0));
    for (
      let next = receiveMessageOnPort(this.#news);
      next !== undefined;
      next = receiveMessageOnPort(this.#news)
    ) {
      const news = next.message as News; // this port carries nothing else
      if (news.run === this.#run) this.bound = news.bound;
    }
  }
}
