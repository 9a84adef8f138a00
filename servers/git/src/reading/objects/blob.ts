import type { Opened } from '../../call/open-repository.ts';
import type { Oid } from '../../run/oid.ts';
import { SNIFFED } from './encoding.ts';
import { notStored } from './entry.ts';

/** Bytes of a blob that is read whole, without a process of its own. */
const MAX_WHOLE = 1 << 20;

/** The contents of a blob, of any size. */
export interface Blob {
  readonly oid: Oid;
  readonly size: number;
  /** the whole content of a small blob */
  readonly whole: Buffer | undefined;
  /** the bytes from the start, read anew each time; leaving the loop ends the reading */
  chunks(): AsyncIterable<Buffer>;
}

export async function openBlob({ objects }: Opened, oid: Oid, signal: AbortSignal): Promise<Blob> {
  const contents = await objects.contents(oid, MAX_WHOLE, signal);
  if (contents === undefined) throw notStored(`object ${oid}`);
  const { size, bytes } = contents;
  return {
    oid,
    size,
    whole: bytes,
    async *chunks() {
      if (bytes !== undefined) {
        yield bytes;
        return;
      }
      const { chunks, finished } = objects.stream(oid, signal);
      yield* chunks;
      await finished;
    },
  };
}

/** Returns enough of the start to detect the type. */
export async function startOf(blob: Blob): Promise<Buffer> {
  if (blob.whole !== undefined) return blob.whole;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of blob.chunks()) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= SNIFFED) break;
  }
  return Buffer.concat(parts);
}

/** Returns at most `count` bytes from an offset. */
export async function bytesFrom(blob: Blob, offset: number, count: number): Promise<Buffer> {
  if (blob.whole !== undefined) return blob.whole.subarray(offset, offset + count);
  const parts: Buffer[] = [];
  let at = 0;
  for await (const chunk of blob.chunks()) {
    const from = Math.max(0, offset - at);
    if (from < chunk.length) parts.push(chunk.subarray(from, offset + count - at));
    at += chunk.length;
    if (at >= offset + count) break;
  }
  return Buffer.concat(parts);
}
