import { renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { during, each } from '../lib/group.mjs';
import { inotifyWatches } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { WATCHED, WATCHED_FOLDERS, watchedFiles } from '../lib/trees.mjs';

const PATIENCE = 2000;
const AT_ONCE = 50;

/** @typedef {{ p50: number, p99: number, missed: number, watches: number, subscribe: number }} Seen */

/**
 * 1,000 subscribed files: from the call that changes one to the arrival of its notification, one after the other, in
 * place and by atomic replace; then all at once.
 * @type {import('../lib/group.mjs').Group}
 */
export const watch = {
  workload: 'watch',
  rows: {
    p50: { row: 'change to notification, p50', unit: 'ms', must: 10, aim: 1 },
    p99: { row: 'change to notification, p99', unit: 'ms', must: 50, aim: 10 },
    missed: { row: 'changes without a notification', unit: 'changes', must: 0 },
    watches: { row: 'inotify watches', unit: 'watches', must: WATCHED + WATCHED_FOLDERS + 1 },
    subscribe: { row: 'subscribing to 1,000 files, wall', unit: 'ms' },
  },
  async run({ all, trees, quick }) {
    const root = trees.watched();
    /** @type {Record<string, Seen>} */
    const seen = {};
    const p50 = await rounds(
      1,
      each(all, ({ name, dialect, launch }) => async () => {
        if (!dialect.subscribes) return undefined;
        const facts = await during(new Session(launch(root)), (session) =>
          observe(session, root, quick ? 200 : WATCHED),
        );
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
    return { p50, p99: of('p99'), missed: of('missed'), watches: of('watches'), subscribe: of('subscribe') };
  },
};

/**
 * @param {Session} session
 * @param {string} root
 * @param {number} changes of each kind
 * @returns {Promise<Seen>}
 */
async function observe(session, root, changes) {
  const files = watchedFiles(root).map((path) => ({ path, uri: pathToFileURL(path).href }));
  const began = performance.now();
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const some = files.slice(i, i + AT_ONCE);
    const answers = await Promise.all(some.map(({ uri }) => session.request('resources/subscribe', { uri })));
    for (const answer of answers) resultOf(answer);
  }
  const subscribe = performance.now() - began;
  const watches = inotifyWatches(session.pid);

  /** @type {Map<string, (at: number) => void>} */
  const expected = new Map();
  session.onNotification = ({ method, params }, at) => {
    if (method === 'notifications/resources/updated') expected.get(params?.uri)?.(at);
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
  const p50 = percentile(delays, 0.5) ?? Number.NaN;
  const p99 = percentile(delays, 0.99) ?? Number.NaN;
  return { p50, p99, missed, watches, subscribe };
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
  writeFileSync(`${path}.new`, `replaced ${i}\n`);
  renameSync(`${path}.new`, path);
}
