import { choose } from './places.ts';
import type { Scope } from './scope.ts';

const waiting = new Map<string, Promise<unknown>>();

/** Runs tasks on one file one after the other, in the order of the calls; for changes that wait between read and write. */
export async function inOrder<T>(scope: Scope, path: string, task: () => Promise<T> | T): Promise<T> {
  const { candidate, seen } = choose(scope, path, true);
  // the place, not the inode: each replacement makes a new one
  const key = seen?.path ?? candidate;
  const before = waiting.get(key);
  const mine = before === undefined ? Promise.resolve().then(task) : before.then(task, task);
  waiting.set(key, mine);
  try {
    return await mine;
  } finally {
    if (waiting.get(key) === mine) waiting.delete(key);
  }
}
