import { showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { LaneFailure, ReplyHead } from '../shared/frames.ts';

export interface LaneReply<F> {
  readonly facts: F;
  readonly parts: readonly Buffer[];
}

const HEAD_LENGTH_BYTES = 4;

/** Parses a verb's answer, and whether the verb continues after it. */
export function parseReply(bytes: Buffer): { reply: LaneReply<unknown>; continues: boolean } {
  const end = HEAD_LENGTH_BYTES + bytes.readUInt32LE(0);
  const { facts, parts, continues } = JSON.parse(bytes.toString('utf8', HEAD_LENGTH_BYTES, end)) as ReplyHead; // written by the lane
  let at = end;
  const cut = parts.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  return { reply: { facts, parts: cut }, continues: continues === true };
}

/** Parses a verb's progress: done, total and message. */
export function parseProgress(bytes: Buffer): [number, number | undefined, string | undefined] {
  const [done, total, message] = JSON.parse(bytes.toString()) as [number, number | null, string | null]; // written by the lane
  return [done, total ?? undefined, message ?? undefined];
}

/** Returns the error of a failed verb. */
export function toolErrorOf(bytes: Buffer): Error {
  const { code, message, hint, retryable } = JSON.parse(bytes.toString()) as LaneFailure; // written by the lane
  if (code === 'fault') return new Error(message);
  // both may contain names of the database
  return new ToolError(showName(message), {
    code,
    ...(hint !== undefined && { hint: showName(hint) }),
    ...defined({ retryable }),
  });
}
