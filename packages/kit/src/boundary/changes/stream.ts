import type { Scope } from '../scope.ts';
import { sync, writeContent } from './content.ts';
import { type ReplaceOptions, replacing, type Written } from './replace.ts';
import { perform, type Work, wait } from './work.ts';

/** Makes the content of a file: each piece is on its way to the disk when `write` resolves. */
export type Produce = (write: (piece: Buffer) => Promise<void>) => Promise<void>;

// a sync of all at the end could take seconds, in which a cancelled call would not end
const SYNCED_BYTES = 8 * 1024 * 1024;

/**
 * Writes a whole file in one step from content that is made meanwhile, of any length. Until `produce` has ended nobody
 * sees the file; when it fails, what was there stays and nothing else is left. The signal is for `produce` to heed: a
 * cancelled write ends when that has.
 */
export async function streamFile(
  scope: Scope,
  path: string,
  produce: Produce,
  options: ReplaceOptions = {},
): Promise<Written> {
  return perform(
    replacing(scope, path, (fd) => produceInto(fd, produce, options), options),
    options,
  );
}

function* produceInto(fd: number, produce: Produce, { fsync, progress }: ReplaceOptions): Work<number> {
  let bytes = 0;
  let synced = 0;
  let isOver = false;
  // one piece after the other, also when the caller does not wait
  let last: Promise<void> = Promise.resolve();
  const writeNext = async (piece: Buffer): Promise<void> => {
    if (isOver) return;
    await perform(writeContent(fd, piece, {}), {});
    bytes += piece.length;
    progress?.(bytes);
    if (!fsync || bytes - synced < SYNCED_BYTES) return;
    await perform(sync(fd), {});
    synced = bytes;
  };
  const write = (piece: Buffer): Promise<void> => {
    const written = last.then(() => writeNext(piece));
    last = written.catch(() => {
      // whoever wrote the piece is told; what would follow it is not wanted any more
      isOver = true;
    });
    return written;
  };
  try {
    yield* wait(produce(write));
    yield* wait(last);
    if (isOver) throw new TypeError('produce has to wait for what it writes');
    return bytes;
  } finally {
    isOver = true;
    // the descriptor is closed next
    yield* wait(last);
  }
}
