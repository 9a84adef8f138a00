/** Bytes of a frame's header: the length of its content (32 bits, little endian) and its kind. */
export const HEADER_BYTES = 5;

/** Frames to a lane: a request, a piece of input, the end of input, and the end of the lane. */
export const toLane = { request: 1, chunk: 2, end: 3, leave: 4 } as const;

/**
 * Frames from a lane: driver loaded, answer, failure, progress, a piece of output, a request for input, and the end of
 * work after an answer.
 */
export const fromLane = { ready: 1, reply: 2, failure: 3, progress: 4, data: 5, need: 6, idle: 7 } as const;

/** Returns the bytes of a frame. */
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
  /** identity of the file */
  readonly dev: string;
  readonly ino: string;
  readonly mode: Mode;
  /** whether its root is read-only */
  readonly readOnly: boolean;
  /** whether an earlier lane found no -wal and -shm files beside it */
  readonly ownsSideFiles: boolean;
  /** how long to wait for locks of other programs, ms */
  readonly busyMs: number;
  /** most bytes of the database file */
  readonly mostBytes: number;
}

/** Whether a connection only reads, or also writes. */
export type Mode = 'read' | 'write';

/** The reply to an opening. */
export interface Opened {
  readonly ownsSideFiles: boolean;
}

export interface LaneRequest {
  readonly verb: string;
  readonly args: unknown;
}

/** The head of a reply: its facts, and the lengths of the parts that follow. */
export interface ReplyHead {
  readonly facts: unknown;
  readonly parts: readonly number[];
  /** whether work continues after the answer; `idle` follows when it has ended */
  readonly continues?: true;
}

export interface LaneFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}
