import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

const TICK_NS = 10_000_000;

/**
 * Returns the processor time of a process, its threads and its children in nanoseconds, once they sleep: the account of
 * a running thread lags by up to a scheduler tick.
 * @param {number} pid
 */
export function cpuAtRest(pid) {
  const give = performance.now() + 500;
  let last = -1;
  for (;;) {
    const now = cpu(pid);
    if ((now === last && asleep(pid)) || performance.now() > give) return now;
    last = now;
    pause(1);
  }
}

/**
 * Returns the private memory of a process and its children in kilobytes.
 * @param {number} pid
 */
export function anonymousKb(pid) {
  return sumOverTree(pid, (id) => statusKb(id, 'RssAnon'));
}

/**
 * Resets the peak of resident memory and returns the present kilobytes.
 * @param {number} pid
 */
export function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return statusKb(pid, 'VmRSS');
}

/**
 * Returns the peak of resident memory since `resetPeak` in kilobytes.
 * @param {number} pid
 */
export function peakKb(pid) {
  return statusKb(pid, 'VmHWM');
}

/**
 * Returns the running children of a process.
 * @param {number} pid
 * @returns {number[]}
 */
export function childrenOf(pid) {
  return list(`/proc/${pid}/task`)
    .flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

/** @param {number} pid */
export function isGone(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /\) [ZX] /.test(stat);
}

/**
 * Returns the number of inotify watches of a process and its children.
 * @param {number} pid
 */
export function inotifyWatches(pid) {
  return sumOverTree(pid, (id) => {
    let watches = 0;
    for (const fd of list(`/proc/${id}/fd`)) {
      if (!link(`/proc/${id}/fd/${fd}`).includes('inotify')) continue;
      watches += (read(`/proc/${id}/fdinfo/${fd}`).match(/^inotify wd:/gm) ?? []).length;
    }
    return watches;
  });
}

/** @param {number} pid */
function cpu(pid) {
  return sumOverTree(pid, (id) => {
    let live = 0;
    for (const task of list(`/proc/${id}/task`))
      live += Number(read(`/proc/${id}/task/${task}/schedstat`).split(' ')[0]);
    const fields = statFields(id);
    // exited threads are only in the coarse total, which never exceeds the real one
    return Math.max(live, (Number(fields[11]) + Number(fields[12])) * TICK_NS || 0);
  });
}

/** @param {number} pid */
function asleep(pid) {
  return list(`/proc/${pid}/task`).every((task) => !/\) R /.test(read(`/proc/${pid}/task/${task}/stat`)));
}

/**
 * @param {number} pid
 * @returns {string[]} the fields of /proc/<pid>/stat from the state on
 */
function statFields(pid) {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/**
 * @param {number} pid
 * @param {string} name
 */
function statusKb(pid, name) {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/**
 * @param {number} pid
 * @param {(pid: number) => number} measure
 * @returns {number}
 */
function sumOverTree(pid, measure) {
  let sum = measure(pid);
  for (const child of childrenOf(pid)) sum += sumOverTree(child, measure);
  return sum;
}

/** @param {number} ms */
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // a thread or process that exited between listing and reading counts as zero
    return '';
  }
}

/** @param {string} path */
function list(path) {
  try {
    return readdirSync(path);
  } catch {
    // as above: it has exited
    return [];
  }
}

/** @param {string} path */
function link(path) {
  try {
    return readlinkSync(path);
  } catch {
    // as above: it was closed
    return '';
  }
}
