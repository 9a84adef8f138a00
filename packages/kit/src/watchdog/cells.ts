/** Where what stands in the memory that the main thread and the watchdog's thread share. */
export const ARMED = 0;
/** counts turns of the event loop, at least twice a second while a call is in progress */
export const TURN = 1;
/** nobody ever wakes who waits for it */
export const NEVER = 2;
/** how many calls of each name are in progress, from here on */
export const CALLS = 3;
/** Names that are kept apart; the last one stands for all others. */
export const NAMES = 256;

/** How much one turn may spend, and how often both sides look while a call is in progress. */
export interface Limits {
  /** CPU of one turn */
  readonly limitMs: number;
  readonly lookMs: number;
}

/** The data that the thread starts with. */
export interface ThreadData extends Limits {
  readonly cells: Int32Array;
  /** how the line on stderr begins */
  readonly server: string;
}

/** The name behind a number in the cells. */
export type NameMessage = readonly [id: number, name: string];
