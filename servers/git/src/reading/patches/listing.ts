import { ToolError } from '@rootbound/protocol';
import { type Change, parseListing } from '../../porcelain/changes.ts';

export interface Listed {
  readonly changes: readonly Change[];
  /** the patch after it, to be read or left */
  readonly patch: AsyncIterable<Buffer>;
}

/** Splits the listing from the output of `patchCommand`. */
export async function readListing(chunks: AsyncIterable<Buffer>): Promise<Listed> {
  const source = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  // the end of a listing may arrive in two chunks
  let tail = '';
  let size = 0;
  for (;;) {
    const { value, done } = await source.next();
    if (done === true) break;
    read.push(value);
    size += value.length;
    if (size > MAX_BYTES) throw tooManyFiles();
    const seen = tail + value.toString('latin1');
    const end = seen.indexOf('\n\n');
    if (end !== -1) return cutAt(read, end - tail.length + 2, source);
    tail = seen.slice(-1);
  }
  return { changes: parseListing(Buffer.concat(read)), patch: noPatch() };
}

/** Bytes of a listing at most. */
const MAX_BYTES = 64 << 20;

export function tooManyFiles(): ToolError {
  return new ToolError('more files differ than can be listed', { code: 'too-large', hint: 'name paths' });
}

/** Splits at an index of the last chunk. */
function cutAt(read: readonly Buffer[], end: number, source: AsyncIterator<Buffer>): Listed {
  const last = read.at(-1)!;
  const listing = Buffer.concat([...read.slice(0, -1), last.subarray(0, end)]);
  return { changes: parseListing(listing), patch: rest(last.subarray(end), source) };
}

async function* rest(first: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => source };
  } finally {
    // also where the reader leaves before the source is taken over
    await source.return?.();
  }
}

async function* noPatch(): AsyncGenerator<Buffer, void, void> {}
