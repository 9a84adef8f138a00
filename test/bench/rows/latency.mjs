import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { EDITED_TEXT, LINES_PER_BLOCK, NEEDLE } from '../lib/trees.mjs';

const EVERY = 2;

/** @typedef {import('../lib/servers.mjs').Dialect} Dialect */
/** @typedef {import('../lib/trees.mjs').Trees} Trees */

/** @type {Record<string, { needs: (trees: Trees) => string, call: (dialect: Dialect, folder: string) => import('../lib/servers.mjs').Call | undefined }>} */
const longCalls = {
  content: {
    needs: (trees) => trees.forest(),
    call: (dialect, folder) => dialect.findContent?.(folder, NEEDLE),
  },
  names: {
    needs: (trees) => trees.forest(),
    call: (dialect, folder) => dialect.findNames(folder, '**/needle-*'),
  },
  list: { needs: (trees) => trees.wide(), call: (dialect, folder) => dialect.sortedPage(folder) },
  read: {
    needs: (trees) => trees.large(),
    call: (dialect, folder) => dialect.read(join(folder, 'large.txt')),
  },
  range: {
    needs: (trees) => trees.parted(),
    call: (dialect, folder) => dialect.range?.(join(folder, 'parted.txt'), LINES_PER_BLOCK * 90, 10),
  },
  edit: {
    needs: (trees) => trees.edited(),
    call: (dialect, folder) => dialect.edit?.(freshCopy(folder), EDITED_TEXT, 'another text'),
  },
  copy: {
    needs: (trees) => trees.forest(),
    call: (dialect, folder) => dialect.copy?.(folder, freshName(folder)),
  },
  tree: { needs: (trees) => trees.forest(), call: (dialect, folder) => dialect.tree?.(folder) },
};

/**
 * Copies the file for an edit.
 * @param {string} folder
 */
function freshCopy(folder) {
  const path = join(folder, 'copy.txt');
  copyFileSync(join(folder, 'edited.txt'), path);
  return path;
}

let copies = 0;

/**
 * Returns a free name beside a folder.
 * @param {string} folder
 */
function freshName(folder) {
  copies += 1;
  return `${folder}-copy-${copies}`;
}

/**
 * The slowest ping while one long call runs in a new session, that is, the longest block of the event loop. The least of
 * the rounds counts, since a block by the server occurs in each of them.
 * @type {import('../lib/group.mjs').Group}
 */
export const latency = {
  workload: 'latency',
  rows: {
    content: { row: 'slowest ping during a content search', unit: 'ms', must: 50 },
    names: { row: 'slowest ping during a name search', unit: 'ms', must: 50 },
    list: { row: 'slowest ping during a sorted listing of 100,000', unit: 'ms', must: 50 },
    read: { row: 'slowest ping during a 10 MB read', unit: 'ms', must: 50 },
    range: { row: 'slowest ping during a read of 10 lines at 90 MB', unit: 'ms', must: 50 },
    edit: { row: 'slowest ping during an edit in 60 MB', unit: 'ms', must: 50 },
    copy: { row: 'slowest ping during a copy of 50,000 files', unit: 'ms', must: 50 },
    tree: { row: 'slowest ping during a tree of 50,000 files', unit: 'ms', must: 50 },
  },
  async run({ all, trees, quick }) {
    /** @type {Record<string, Record<string, import('../lib/rounds.mjs').Samples>>} */
    const found = {};
    for (const [kind, { needs, call: make }] of Object.entries(longCalls)) {
      const folder = needs(trees);
      found[kind] = await rounds(
        quick ? 2 : 4,
        each(all, ({ dialect, launch }) => async () => {
          const call = make(dialect, folder);
          if (!call) return undefined;
          return during(new Session(launch(trees.root, dialect.large)), (session) =>
            slowestPing(session, call),
          );
        }),
      );
    }
    return found;
  },
};

/**
 * @param {Session} session
 * @param {import('../lib/servers.mjs').Call} call
 */
async function slowestPing(session, call) {
  let slowest = 0;
  let running = true;
  /** @type {Promise<void>[]} */
  const pings = [];
  const ping = () => {
    const began = performance.now();
    pings.push(
      session.request('ping').then(({ at }) => {
        slowest = Math.max(slowest, at - began);
      }),
    );
  };
  await session.request('ping');
  const answered = session.callTool(call).finally(() => {
    running = false;
  });
  while (running) {
    ping();
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, EVERY))]);
  }
  const answer = await answered;
  // before the answer is parsed, which would delay the following pings in this process
  await Promise.all(pings);
  resultOf(answer);
  return slowest;
}
