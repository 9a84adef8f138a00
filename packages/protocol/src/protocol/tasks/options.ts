import type { TaskEvent } from './events.ts';
import { MemoryTaskStore, type TaskStore } from './store.ts';

/**
 * How tasks are kept. A task belongs to the principal that began it, or without authorization to the session; where
 * there is neither, as in the stateless era, its id is the only key to it. Both caps count tasks at work and those
 * whose outcome is kept until they expire.
 * @example
 * const tasks: TaskOptions = { ttl: 60_000, cap: 16 };
 * createServer({ name: 'jobs', version: '1.0.0', tasks });
 */
export interface TaskOptions {
  /** milliseconds that a task is kept from its creation when nobody wishes otherwise; default 15 minutes */
  ttl?: number;
  /** most milliseconds that a requestor may wish for; default one day */
  maxTtl?: number;
  /** most tasks of one requestor; default 256 */
  cap?: number;
  /** most tasks of all requestors together; default 4,096 */
  totalCap?: number;
  /** milliseconds between two looks at a task that requestors are asked to keep to; default 1,000 */
  pollInterval?: number;
  /** where tasks are kept; default the memory of this process */
  store?: TaskStore;
  /** most bytes of results that are kept in memory; one that would be too many fails its task. Default 64 MiB */
  resultBytes?: number;
  /** hears of tasks that begin, end, are read and are asked for in vain, for a log */
  onEvent?: (event: TaskEvent) => void;
}

/** Options with every default in place. */
export interface TaskSettings {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly cap: number;
  readonly totalCap: number;
  readonly pollInterval: number;
  readonly store: TaskStore;
  readonly onEvent: (event: TaskEvent) => void;
}

/** Timers cannot wait longer. */
const LONGEST = 2 ** 31 - 1;

/** Checks options and fills in what was left out. */
export function normaliseTaskOptions(options: TaskOptions): TaskSettings {
  const maxTtl = inRange('maxTtl', options.maxTtl ?? 86_400_000, LONGEST);
  return Object.freeze({
    maxTtl,
    ttl: inRange('ttl', options.ttl ?? Math.min(900_000, maxTtl), maxTtl),
    cap: inRange('cap', options.cap ?? 256),
    totalCap: inRange('totalCap', options.totalCap ?? 4096),
    pollInterval: inRange('pollInterval', options.pollInterval ?? 1000, LONGEST),
    store: options.store ?? new MemoryTaskStore(inRange('resultBytes', options.resultBytes ?? 67_108_864)),
    onEvent: options.onEvent ?? (() => {}),
  });
}

function inRange(name: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw new TypeError(`tasks.${name} must be an integer from 1 to ${most}`);
}
