import type { Stats } from 'node:fs';
import type { OpenFile } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { readConsistent } from './consistent.ts';
import { type Attention, readAt } from './window.ts';

/** Bytes of a file, and its facts from when they were read. */
export interface ReadBytes {
  bytes: Buffer;
  /** the first bytes of the file, by which its type is told */
  sample: Buffer;
  stat: Stats;
}

const STEP = 1024 * 1024;

/** Where a range of a file begins, and how long it may be. */
export interface Range {
  offset: number;
  length: number;
}

/** A range of an open file as it was at one moment; `rangeOf` says which, once the size and the type are known. */
export async function readBytes(
  file: OpenFile,
  path: string,
  sampleBytes: number,
  rangeOf: (stat: Stats, sample: Buffer) => Range,
  { signal }: Pick<Attention, 'signal'>,
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

/** Divides by three, so that each piece ends where its base64 does. */
const PIECE_BYTES = 192 * 1024;
const PIECES_IN_ONE_GO = 8;

/** Base64 as ASCII bytes. */
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

/** Characters that this many bytes take in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
