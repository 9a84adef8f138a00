import type { Scope } from '../scope.ts';
import { sync, writeContent } from './content.ts';
import type { Draft } from './draft.ts';
import type { Installation } from './install.ts';
import { type ReplaceOptions, replacing, type Written } from './replace.ts';
import { perform, type Work, wait } from './work.ts';

/**
 * Makes the content of a file: each piece is on its way to the disk when `write` resolves. `begun` bytes are there
 * already, from a draft.
 */
export type Produce = (write: (piece: Buffer) => Promise<void>, begun: number) => Promise<void>;

export interface StreamOptions extends ReplaceOptions {
  /** what is gone on with, and what a failure of `produce` leaves to be gone on with; without one it leaves nothing */
  draft?: Draft | undefined;
}

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
  options: StreamOptions = {},
): Promise<Written> {
  const { draft } = options;
  const source: Source = { produce, bytes: 0, whole: true };
  let kept: ReturnType<Draft['take']>;
  const begin = (): Pick<Installation, 'staged' | 'leave'> => {
    kept = draft?.take();
    return {
      staged: kept?.staged,
      leave: (staged) => {
        if (draft === undefined || !source.whole || source.bytes === 0) return false;
        draft.hold(staged, source.bytes);
        return true;
      },
    };
  };
  const fill = (fd: number): Work<number> => {
    source.bytes = fd === kept?.staged.fd ? kept.bytes : 0;
    kept = undefined;
    return produceInto(fd, source, options);
  };
  // biome-ignore lint/correctness/useYield: there is nothing to prepare
  const prepare = function* (): Work<(fd: number) => Work<number>> {
    return fill;
  };
  return perform(replacing(scope, path, prepare, options, begin), options);
}

interface Source {
  readonly produce: Produce;
  /** how much has been written */
  bytes: number;
  /** whether the file has just that */
  whole: boolean;
}

function* produceInto(fd: number, source: Source, { fsync, progress }: ReplaceOptions): Work<number> {
  let synced = source.bytes;
  let isOver = false;
  // one piece after the other, also when the caller does not wait
  let last: Promise<void> = Promise.resolve();
  const writeNext = async (piece: Buffer): Promise<void> => {
    if (isOver) return;
    await perform(writeContent(fd, piece, {}), {});
    source.bytes += piece.length;
    progress?.(source.bytes);
    if (!fsync || source.bytes - synced < SYNCED_BYTES) return;
    await perform(sync(fd), {});
    synced = source.bytes;
  };
  const write = (piece: Buffer): Promise<void> => {
    const written = last.then(() => writeNext(piece));
    last = written.catch(() => {
      // whoever wrote the piece is told; what would follow it is not wanted any more
      isOver = true;
      source.whole = false;
    });
    return written;
  };
  try {
    yield* wait(source.produce(write, source.bytes));
    yield* wait(last);
    if (isOver) throw new TypeError('produce has to wait for what it writes');
    return source.bytes;
  } finally {
    isOver = true;
    // the descriptor is closed next
    yield* wait(last);
  }
}
