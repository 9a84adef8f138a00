/** The indexes of the memory that the main thread and the watchdog's thread share. */
export const ARMED = 0;
/** counts turns of the event loop, at least twice a second while a call is in progress */
export const TURN = 1;
/** nobody ever wakes its waiter */
export const NEVER = 2;
/** the numbers of calls in progress by name, from here on */
export const CALLS = 3;
/** Names that are distinguished; the last one stands for all others. */
export const NAMES = 256;

/** The limit of one turn, and the interval of both sides' looks while a call is in progress. */
export interface Limits {
  /** CPU of one turn */
  readonly limitMs: number;
  readonly lookMs: number;
}

/** The data with which the thread starts. */
export interface ThreadData extends Limits {
  readonly cells: Int32Array;
  /** the prefix of the line on stderr */
  readonly server: string;
}

/** Returns the name for a number in the cells. */
export type NameMessage = readonly [id: number, name: string];
