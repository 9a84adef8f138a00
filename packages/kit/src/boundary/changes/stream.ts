import type { Scope } from '../scope/scope.ts';
import { sync, writeContent } from './content.ts';
import type { Draft } from './draft.ts';
import type { Installation } from './install.ts';
import { type ReplaceOptions, replacing, type Written } from './replace.ts';
import { perform, type Work, wait } from './work.ts';

/**
 * Produces the content of a file: each piece is being written to the disk when `write` resolves. `begun` bytes exist
 * already, from a draft.
 */
export type Produce = (write: (piece: Buffer) => Promise<void>, begun: number) => Promise<void>;

export interface StreamOptions extends ReplaceOptions {
  /** the draft to continue, which also keeps the bytes of a failed `produce`; without one a failure leaves nothing */
  draft?: Draft | undefined;
}

// bytes between two syncs: a sync of everything at the end could take seconds, in which a cancelled call would not end
const SYNCED_BYTES = 8 * 1024 * 1024;

/**
 * Writes a whole file in one step from content of any length that is produced meanwhile. Nobody sees the file before
 * `produce` has ended; when that fails, the old file stays and nothing else is left. `produce` must observe the signal:
 * a cancelled write ends when it does.
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
  const prepare = function* (): Work<(fd: number) => Work<number>> {
    yield;
    return fill;
  };
  return perform(replacing(scope, path, prepare, options, begin), options);
}

interface Source {
  readonly produce: Produce;
  /** bytes written */
  bytes: number;
  /** whether the file has exactly these */
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
      // the writer of the piece gets the error; later pieces are not written
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
