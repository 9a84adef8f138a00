import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { LruMap } from '@rootbound/kit/primitives';

/**
 * Milliseconds: two changes within one tick of the file system's clock look the same, and some clocks tick every two
 * seconds.
 */
const tickMs = 2_000;

/** The states of files at the time when a value was made from them. */
export interface Witness {
  readonly states: ReadonlyMap<string, string>;
  /** whether a later change would show */
  readonly settled: boolean;
}

/**
 * Returns the states, taken after the files were read since `begun`, so that a change in between leaves them unsettled.
 * Paths are byte strings.
 */
export function witness(paths: Iterable<string>, begun: number): Witness {
  const states = new Map<string, string>();
  let settled = true;
  for (const path of paths) {
    const stat = statOf(path);
    states.set(path, stateOf(stat));
    if (stat !== undefined && Number(stat.ctimeMs) > begun - tickMs) settled = false;
  }
  return { states, settled };
}

function isUnchanged({ states }: Witness): boolean {
  for (const [path, state] of states) if (stateOf(statOf(path)) !== state) return false;
  return true;
}

/** A cache of values made from files; each is valid as long as its files are unchanged. */
export class Kept<Value> {
  readonly #values: LruMap<string, { readonly witness: Witness; readonly value: Value }>;

  constructor(most: number) {
    this.#values = new LruMap(most);
  }

  find(key: string): Value | undefined {
    const found = this.#values.get(key);
    return found !== undefined && isUnchanged(found.witness) ? found.value : undefined;
  }

  keep(key: string, witnessed: Witness, value: Value): Value {
    if (witnessed.settled) this.#values.set(key, { witness: witnessed, value });
    else this.#values.delete(key);
    return value;
  }
}

/** Returns the real path of a path; the path itself when it leads nowhere. A byte string, as the argument. */
export function realOf(path: string): string {
  try {
    return realpathSync(Buffer.from(path, 'latin1'), 'buffer').toString('latin1');
  } catch {
    // nothing exists there, so nothing is read from there
    return path;
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(Buffer.from(path, 'latin1'), { bigint: true, throwIfNoEntry: false });
  } catch {
    // a loop, or a folder that cannot be entered: nothing exists there for git
    return undefined;
  }
}

function stateOf(stat: BigIntStats | undefined): string {
  if (stat === undefined) return '-';
  return `${stat.dev}:${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
