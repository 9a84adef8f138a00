import { setTimeout as sleep } from 'node:timers/promises';
import { showPath } from '@rootbound/kit/boundary';
import { defined, unlessAborted } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { ageOf, findLocks, type Lock } from './locks.ts';
import type { Repository } from './repository.ts';

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** milliseconds for which a lock of another program is waited for, 3,000 unless given */
  readonly patienceMs?: number;
  /** for work that may be half done when it meets a lock: waits for the index first, and repeats nothing */
  readonly once?: boolean;
  /** called when another program's lock is waited for */
  readonly onLocked?: (locks: readonly Lock[]) => void;
}

type Locked = Pick<Repository, 'place' | 'commonDir' | 'commonIdentity' | 'reach'>;

const patience = 3_000;
const firstWaitMs = 5;
const longestWaitMs = 100;

/** The last waiter of each common dir that is being written. */
const lines = new Map<string, Promise<void>>();

/**
 * Runs work that writes to a repository: after all earlier writes of this process to the same common dir, and again
 * when another program's lock was in its way and is gone.
 */
export async function write<T>(
  repository: Locked,
  work: () => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const release = await takeTurn(repository.commonIdentity, options.signal);
  try {
    return await writeUnlocked(repository, work, options);
  } finally {
    release();
  }
}

async function takeTurn(key: string, signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  const before = lines.get(key);
  let leave!: () => void;
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  lines.set(key, mine);
  const release = (): void => {
    if (lines.get(key) === mine) lines.delete(key);
    leave();
  };
  if (before === undefined) return release;
  try {
    await (signal === undefined ? before : unlessAborted(before, signal));
    return release;
  } catch (error) {
    // later waiters must also wait for the earlier ones
    void before.then(release);
    throw error;
  }
}

async function writeUnlocked<T>(
  repository: Locked,
  work: () => Promise<T>,
  options: WriteOptions,
): Promise<T> {
  const wait = new LockWait(repository, options);
  if (options.once === true) {
    await wait.forNone((lock) => lock.name === 'index.lock');
    return tellingLocks(repository, work);
  }
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'locked') throw error;
      await wait.forNone(() => true, error);
    }
  }
}

/**
 * The wait of one write for locks of other programs: no file system reports all of them, so it polls, at growing
 * intervals.
 */
class LockWait {
  readonly #repository: Locked;
  readonly #options: WriteOptions;
  #left: number;
  #next = firstWaitMs;

  constructor(repository: Locked, options: WriteOptions) {
    this.#repository = repository;
    this.#options = options;
    this.#left = options.patienceMs ?? patience;
  }

  /** Waits until no such lock exists; throws when that takes too long. */
  async forNone(matters: (lock: Lock) => boolean, met?: ToolError): Promise<void> {
    for (let looks = 0; ; looks++) {
      const locks = findLocks(this.#repository).filter(matters);
      // the lock is gone; the next attempt may meet another, so each costs a little
      if (locks.length === 0 && (met === undefined || looks > 0)) return;
      if (this.#left <= 0) throw met === undefined || locks.length > 0 ? lockedBy(locks) : met;
      if (locks.length > 0) this.#options.onLocked?.(locks);
      const pause = Math.min(this.#next, this.#left);
      this.#left -= pause;
      this.#next = Math.min(this.#next * 2, longestWaitMs);
      await sleep(pause, undefined, { signal: this.#options.signal });
    }
  }
}

/** Throws for a lock that work which is not repeated has met, with the lock's age. */
export async function tellingLocks<T>(repository: Locked, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError) || !['locked', 'git-failed'].includes(error.code)) throw error;
    const { message, code, retryable, hint } = error;
    // not every verb names the lock: then all that may have been in its way
    const met = findLocks(repository).filter(({ name }) => code !== 'locked' || message.includes(name));
    if (met.length === 0) throw error;
    const locks = met.map((lock) => `the lock ${showPath(lock.name)} is ${ageOf(lock)} old`).join('; ');
    const [first, ...rest] = message.split('\n');
    throw new ToolError([`${first}: ${locks}`, ...rest].join('\n'), {
      ...{ code, retryable, cause: error },
      ...defined({ hint }),
    });
  }
}

function lockedBy(locks: readonly Lock[]): ToolError {
  const listed = locks.slice(0, 3).map((lock) => `${showPath(lock.name)}, ${ageOf(lock)} old`);
  const more = locks.length > listed.length ? ` and ${locks.length - listed.length} more` : '';
  return new ToolError(`another program holds the repository's lock: ${listed.join('; ')}${more}`, {
    code: 'locked',
    retryable: true,
    hint: 'try again when it has ended; if no git is at work there, a killed one left the lock: remove the file by hand',
  });
}
