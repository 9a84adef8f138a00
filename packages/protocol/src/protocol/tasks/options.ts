import type { TaskEvent } from './events.ts';
import { MemoryTaskStore, type TaskStore } from './store.ts';

/**
 * Options of tasks. A task belongs to the principal that created it or, without authorization, to the
 * session; in the stateless era without authorization, its id alone gives access. Both caps count running
 * tasks and finished ones until they expire.
 * @example
 * const tasks: TaskOptions = { ttl: 60_000, cap: 16 };
 * createServer({ name: 'jobs', version: '1.0.0', tasks });
 */
export interface TaskOptions {
  /** milliseconds that a task is stored from its creation if the requestor gives no ttl; default 15 minutes */
  ttl?: number;
  /** maximum ttl in milliseconds that a requestor may ask for; default one day */
  maxTtl?: number;
  /** maximum number of tasks of one requestor; default 256 */
  cap?: number;
  /** maximum number of tasks in total; default 4,096 */
  totalCap?: number;
  /** milliseconds between two polls that requestors are asked to keep; default 1,000 */
  pollInterval?: number;
  /** the store of the tasks; default the memory of this process */
  store?: TaskStore;
  /** maximum number of bytes of results in memory; a task whose result exceeds it fails. Default 64 MiB */
  resultBytes?: number;
  /** called when a task is created, settled, read or expired, and when a request for one fails; for a log */
  onEvent?: (event: TaskEvent) => void;
}

/** Task options with all defaults set. */
export interface TaskSettings {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly cap: number;
  readonly totalCap: number;
  readonly pollInterval: number;
  readonly store: TaskStore;
  readonly onEvent: (event: TaskEvent) => void;
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Validates task options and adds the defaults. */
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
