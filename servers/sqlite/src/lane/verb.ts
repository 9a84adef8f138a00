import type { Connection } from './connection.ts';

/** The lane's side of one call of a verb. */
export interface LaneCall {
  readonly connection: Connection;
  /** reports progress; at most every 50 ms is sent */
  progress(done: number, total?: number, message?: string): void;
  /** sends a piece of output; waits while the server does not keep up */
  emit(bytes: Buffer): void;
  /** returns the next piece of input, undefined at its end */
  pull(): Buffer | undefined;
}

/** A verb's answer: facts that are sent as JSON, and bytes that are sent as they are, such as rows in JSON. */
export class Answer<F> {
  readonly facts: F;
  readonly parts: readonly Buffer[];
  /** work that continues after the caller has its answer; it must end by itself */
  readonly after: (() => void) | undefined;

  constructor(facts: F, parts: readonly Buffer[], after?: () => void) {
    this.facts = facts;
    this.parts = parts;
    this.after = after;
  }
}

/** A function that works on one database. Args and facts cross a process boundary as JSON. */
export type Verb<A, F> = (call: LaneCall, args: A) => F | Answer<F> | Promise<F | Answer<F>>;
