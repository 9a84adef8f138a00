/** What goes to a lane and what comes back: length in bytes (32 bits, little endian), a kind, and so many bytes. */
export const HEADER_BYTES = 5;

/** A request, a piece of what the verb reads, the end of that, and that the server needs the lane no more. */
export const toLane = { request: 1, chunk: 2, end: 3, leave: 4 } as const;

/** A verb's answer and its failure, how far it is, a piece of what it writes, a wish for more, and that it is idle. */
export const fromLane = { ready: 1, reply: 2, failure: 3, progress: 4, data: 5, need: 6, idle: 7 } as const;

/** The bytes of one frame. */
export function frame(kind: number, parts: readonly (Buffer | string)[]): Buffer {
  let length = 0;
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + length);
  bytes.writeUInt32LE(length, 0);
  bytes[4] = kind;
  let at = HEADER_BYTES;
  for (const part of parts) at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at);
  return bytes;
}

/** How a lane opens its database. */
export interface Opening {
  /** absolute, without symbolic links */
  readonly path: string;
  /** which file it has to be */
  readonly dev: string;
  readonly ino: string;
  readonly mode: Mode;
  /** whether nothing in its folder may be changed */
  readonly readOnly: boolean;
  /** whether an earlier connection of the same lane has found no files beside it */
  readonly ownsSideFiles: boolean;
  /** how long to wait for the locks of others, ms */
  readonly busyMs: number;
  /** most bytes of the database file that writing may lead to */
  readonly mostBytes: number;
}

/** A connection that only reads, or one that changes. */
export type Mode = 'read' | 'write';

/** What opening it tells. */
export interface Opened {
  readonly ownsSideFiles: boolean;
}

export interface LaneRequest {
  readonly verb: string;
  readonly args: unknown;
}

/** A reply's facts, and the lengths of the parts that follow them. */
export interface ReplyHead {
  readonly facts: unknown;
  readonly parts: readonly number[];
  /** whether the verb goes on after its answer; `idle` comes when it has ended */
  readonly continues?: true;
}

export interface LaneFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}
