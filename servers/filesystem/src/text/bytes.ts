import type { Stats } from 'node:fs';
import type { OpenFile } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallControl } from '../workspace.ts';
import { readConsistent } from './consistent.ts';
import { readAt } from './window.ts';

/** Bytes of a file, and its stat at the time of the read. */
export interface ReadBytes {
  bytes: Buffer;
  /** the first bytes of the file, from which its type is detected */
  sample: Buffer;
  stat: Stats;
}

const STEP = 1024 * 1024;

/** The start of a range of a file, and its maximum length. */
export interface Range {
  offset: number;
  length: number;
}

/** Reads a consistent range of an open file; `rangeOf` returns the range for the file's size and type. */
export async function readBytes(
  file: OpenFile,
  path: string,
  sampleBytes: number,
  rangeOf: (stat: Stats, sample: Buffer) => Range,
  { signal }: Pick<CallControl, 'signal'>,
): Promise<ReadBytes> {
  const look = async (stat: Stats): Promise<Omit<ReadBytes, 'stat'> & { short: boolean }> => {
    const sample = readAt(file.fd, 0, Math.min(stat.size, sampleBytes));
    const { offset, length } = rangeOf(stat, sample);
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - offset)));
    for (let at = 0; at < bytes.length; at += STEP) {
      const into = bytes.subarray(at, at + STEP);
      if (readAt(file.fd, offset + at, into.length, into).length < into.length)
        return { bytes, sample, short: true };
      if (at > 0) await yieldToEventLoop();
      signal.throwIfAborted();
    }
    return { bytes, sample, short: false };
  };
  const { seen, stat } = await readConsistent(
    file,
    path,
    look,
    (one, other) => one.bytes.equals(other.bytes) && one.sample.equals(other.sample),
  );
  return { bytes: seen.bytes, sample: seen.sample, stat };
}

/** A multiple of three, so that the base64 of each piece needs no padding. */
const PIECE_BYTES = 192 * 1024;
const PIECES_IN_ONE_GO = 8;

/** Encodes bytes as base64, in ASCII bytes. */
export async function toBase64(bytes: Buffer): Promise<Buffer> {
  const text = Buffer.allocUnsafe(base64Length(bytes.length));
  let filled = 0;
  for (let at = 0, pieces = 1; at < bytes.length; at += PIECE_BYTES, pieces++) {
    filled += text.write(
      bytes.toString('base64', at, Math.min(bytes.length, at + PIECE_BYTES)),
      filled,
      'latin1',
    );
    if (pieces % PIECES_IN_ONE_GO === 0) await yieldToEventLoop();
  }
  return text;
}

/** Returns the length of this many bytes in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
