import { unlessAborted } from '../../primitives/abort.ts';
import { openPlace, type Place } from '../opening/places.ts';
import type { Scope } from '../scope/scope.ts';
import type { Cancelling, Work } from './work.ts';

/** Places that this change has locked: other changes of this process to one of them wait. */
export interface Held<P extends readonly Place[]> {
  readonly places: P;
  release(): void;
}

/** Opens the place of an entry for one change and waits for its turn there. */
export function holdPlace(
  scope: Scope,
  path: string,
  follow: boolean,
  cancelling: Cancelling,
): Work<Held<readonly [Place]>> {
  return hold(() => [openPlace(scope, path, follow)] as const, cancelling);
}

/** Opens places and waits for the turn of all of them, in the order of the calls. */
export function* hold<P extends readonly Place[]>(open: () => P, cancelling: Cancelling): Work<Held<P>> {
  for (;;) {
    const places = open();
    const keys = places.map(keyOf);
    const free = takeTurn(keys);
    if (free !== undefined) return held(places, free);
    // another entry may be there when the turn comes
    closeAll(places);
    const release = yield* awaitTurn(keys, cancelling);
    let again: P | undefined;
    try {
      again = open();
      if (again.every((place, index) => keyOf(place) === keys[index])) return held(again, release);
    } catch (error) {
      release();
      throw error;
    }
    closeAll(again);
    release();
  }
}

function held<P extends readonly Place[]>(places: P, release: () => void): Held<P> {
  return {
    places,
    release() {
      closeAll(places);
      release();
    },
  };
}

function closeAll(places: readonly Place[]): void {
  for (const place of places) place.folder.close();
}

const folds = process.platform === 'darwin' || process.platform === 'win32';

/**
 * Returns the key of a place: the folder itself and the name, as the file under it is another one after each
 * replacement.
 */
function keyOf({ folder: { stat }, name }: Place): string {
  return `${stat.dev}:${stat.ino}/${folds ? name.normalize('NFC').toLowerCase() : name}`;
}

/** The last waiter of each place that is being changed. */
const lines = new Map<string, Promise<void>>();

/** Takes the turn for all keys when nobody has or awaits one of them. */
function takeTurn(keys: readonly string[]): (() => void) | undefined {
  return keys.some((key) => lines.has(key)) ? undefined : join(keys);
}

/** Queues for all keys at once, so that no two changes wait for each other. */
function* awaitTurn(keys: readonly string[], { signal }: Cancelling): Work<() => void> {
  const before: Promise<unknown> = Promise.all(keys.flatMap((key) => lines.get(key) ?? []));
  const release = join(keys);
  try {
    yield signal === undefined ? before : unlessAborted(before, signal);
    return release;
  } catch (error) {
    // later waiters must also wait for the earlier ones
    before.then(release, release);
    throw error;
  }
}

function join(keys: readonly string[]): () => void {
  let leave!: () => void;
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  for (const key of keys) lines.set(key, mine);
  return () => {
    for (const key of keys) if (lines.get(key) === mine) lines.delete(key);
    leave();
  };
}
