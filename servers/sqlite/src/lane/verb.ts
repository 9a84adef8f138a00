import type { Connection } from './connection.ts';

/** What one call of a verb works with, in the lane's process. */
export interface LaneCall {
  readonly connection: Connection;
  /** tells how far the work is; what comes faster than every 50 ms is dropped */
  progress(done: number, total?: number, message?: string): void;
  /** hands over a piece of what the verb writes; waits while the other side does not keep up */
  emit(bytes: Buffer): void;
  /** the next piece of what the verb reads, undefined at its end */
  pull(): Buffer | undefined;
}

/** A verb's answer: facts that become JSON, and bytes that go along as they are, such as rows that are JSON already. */
export class Answer<F> {
  readonly facts: F;
  readonly parts: readonly Buffer[];
  /** work that goes on when the caller has its answer; it must end by itself */
  readonly after: (() => void) | undefined;

  constructor(facts: F, parts: readonly Buffer[], after?: () => void) {
    this.facts = facts;
    this.parts = parts;
    this.after = after;
  }
}

/** Work on one database. Args and facts cross a process boundary as JSON. */
export type Verb<A, F> = (call: LaneCall, args: A) => F | Answer<F> | Promise<F | Answer<F>>;
