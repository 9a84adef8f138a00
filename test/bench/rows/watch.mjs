import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { during, each } from '../lib/group.mjs';
import { anonymousKb, inotifyWatches } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { WATCHED, WATCHED_FOLDERS, watchedFiles } from '../lib/trees.mjs';

const PATIENCE = 2000;
const AT_ONCE = 50;
const HELD = 10_000;
const HELD_FOLDERS = 100;

/**
 * @typedef {object} Seen
 * @property {number} p50
 * @property {number} p99
 * @property {number} missed
 * @property {number} idle rewrites of the same bytes that are told
 * @property {number} watches
 * @property {number} subscribe wall of subscribing, in milliseconds
 * @property {number} memory what the subscriptions take, in megabytes
 */

/**
 * The time from the change of one of 1,000 subscribed files to its notification, one after another, in place and by
 * atomic replace; then all at once.
 * @type {import('../lib/group.mjs').Group}
 */
export const watch = {
  workload: 'watch',
  rows: {
    p50: { row: 'change to notification, p50', unit: 'ms', must: 10, aim: 1 },
    p99: { row: 'change to notification, p99', unit: 'ms', must: 50, aim: 10 },
    missed: { row: 'changes without a notification', unit: 'changes', must: 0 },
    idle: { row: 'rewrites of the same bytes that are told', unit: 'rewrites', must: 0 },
    watches: { row: 'inotify watches', unit: 'watches', must: WATCHED + WATCHED_FOLDERS + 1 },
    subscribe: { row: 'subscribing to 1,000 files, wall', unit: 'ms' },
  },
  run({ all, trees, quick }) {
    const root = trees.watched();
    return observeAll(all, root, watchedFiles(root), quick ? 200 : WATCHED);
  },
};

/**
 * The time to notification with 10,000 subscribed files.
 * @type {import('../lib/group.mjs').Group}
 */
export const watchMany = {
  workload: 'watch 10,000',
  fullOnly: true,
  rows: {
    p50: { row: 'change to notification, p50, of 10,000', unit: 'ms', must: 10, aim: 1 },
    p99: { row: 'change to notification, p99, of 10,000', unit: 'ms', must: 50, aim: 10 },
    missed: { row: 'changes without a notification, of 10,000', unit: 'changes', must: 0 },
    idle: { row: 'rewrites of the same bytes that are told, of 10,000', unit: 'rewrites', must: 0 },
    watches: {
      row: 'inotify watches for 10,000 files',
      unit: 'watches',
      must: HELD + HELD_FOLDERS + 1,
      aim: HELD_FOLDERS + 4,
    },
    subscribe: { row: 'subscribing to 10,000 files, wall', unit: 'ms' },
    memory: { row: 'memory for 10,000 subscriptions', unit: 'MB' },
  },
  run({ all, trees }) {
    const root = join(trees.root, 'held');
    const files = Array.from({ length: HELD }, (_, i) =>
      join(root, `part-${i % HELD_FOLDERS}`, `file-${i}.txt`),
    );
    if (!existsSync(root)) {
      for (let i = 0; i < HELD_FOLDERS; i += 1) mkdirSync(join(root, `part-${i}`), { recursive: true });
      for (const [i, path] of files.entries()) writeFileSync(path, `file ${i}\n`);
    }
    return observeAll(all, root, files, WATCHED);
  },
};

/**
 * @param {readonly import('../lib/servers.mjs').Contestant[]} all
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {number} changes
 */
async function observeAll(all, root, paths, changes) {
  /** @type {Record<string, Seen>} */
  const seen = {};
  const p50 = await rounds(
    1,
    each(all, ({ name, dialect, launch }) => async () => {
      if (!dialect.subscribes) return undefined;
      const facts = await during(new Session(launch(root)), (session) => observe(session, paths, changes));
      seen[name] = facts;
      return facts.p50;
    }),
  );
  /** @param {keyof Seen} kind */
  const of = (kind) =>
    each(all, ({ name }) => {
      const facts = seen[name];
      return facts ? { values: [facts[kind]] } : { values: [], note: p50[name]?.note ?? 'none' };
    });
  return {
    p50,
    p99: of('p99'),
    missed: of('missed'),
    idle: of('idle'),
    watches: of('watches'),
    subscribe: of('subscribe'),
    memory: of('memory'),
  };
}

/**
 * @param {Session} session
 * @param {readonly string[]} paths
 * @param {number} changes of each kind
 * @returns {Promise<Seen>}
 */
async function observe(session, paths, changes) {
  const files = paths.map((path) => ({ path, uri: pathToFileURL(path).href }));
  const before = anonymousKb(session.pid);
  const began = performance.now();
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const some = files.slice(i, i + AT_ONCE);
    const answers = await Promise.all(some.map(({ uri }) => session.request('resources/subscribe', { uri })));
    for (const answer of answers) resultOf(answer);
  }
  const subscribe = performance.now() - began;
  const memory = (anonymousKb(session.pid) - before) / 1024;
  const watches = inotifyWatches(session.pid);

  /** @type {Map<string, (at: number) => void>} */
  const expected = new Map();
  let unexpected = 0;
  session.onNotification = ({ method, params }, at) => {
    if (method !== 'notifications/resources/updated') return;
    const resolve = expected.get(params?.uri);
    if (resolve) resolve(at);
    else unexpected += 1;
  };
  /** @param {string} uri @returns {Promise<number | undefined>} when it arrived */
  const updated = (uri) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE);
      expected.set(uri, (at) => {
        clearTimeout(timer);
        resolve(at);
      });
    }).finally(() => expected.delete(uri));

  /** @type {number[]} */
  const delays = [];
  let missed = 0;
  for (const change of [inPlace, replace]) {
    for (const [i, { path, uri }] of files.slice(0, changes).entries()) {
      const arrival = updated(uri);
      const start = performance.now();
      change(path, i);
      const at = await arrival;
      if (at === undefined) missed += 1;
      else delays.push(at - start);
      if (missed > 20) throw new Error(`missed ${missed} of ${delays.length + missed} changes`);
    }
  }
  const burst = files.map(({ uri }) => updated(uri));
  for (const [i, { path }] of files.entries()) inPlace(path, i + 1);
  for (const at of await Promise.all(burst)) if (at === undefined) missed += 1;
  unexpected = 0;
  const idle = await rewrites(files.slice(0, changes), updated, () => unexpected);
  const p50 = percentile(delays, 0.5) ?? Number.NaN;
  const p99 = percentile(delays, 0.99) ?? Number.NaN;
  return { p50, p99, missed, idle, watches, subscribe, memory };
}

/**
 * Replaces files by equal ones, then changes the last one; notifications before that are unnecessary.
 * @param {readonly { path: string, uri: string }[]} files
 * @param {(uri: string) => Promise<number | undefined>} updated
 * @param {() => number} unexpectedCount
 */
async function rewrites(files, updated, unexpectedCount) {
  for (const [i, { path }] of files.entries())
    replaceBy(path, `in place ${i + 1} ${'.'.repeat((i + 1) % 90)}\n`);
  const last = files.at(-1);
  if (last === undefined) return 0;
  const arrival = updated(last.uri);
  writeFileSync(last.path, 'the last\n');
  await arrival;
  return unexpectedCount();
}

/**
 * @param {string} path
 * @param {number} i
 */
function inPlace(path, i) {
  writeFileSync(path, `in place ${i} ${'.'.repeat(i % 90)}\n`);
}

/**
 * @param {string} path
 * @param {number} i
 */
function replace(path, i) {
  replaceBy(path, `replaced ${i}\n`);
}

/**
 * @param {string} path
 * @param {string} content
 */
function replaceBy(path, content) {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
