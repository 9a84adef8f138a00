import { join } from 'node:path';
import { ours, peersIn, readerAlone, turndownIn } from '../fetch/peers.mjs';
import { articleOf, HOSTS, hostile, startSite } from '../fetch/site.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { encode, resultOf, Session } from '../lib/session.mjs';

/** @typedef {import('../fetch/peers.mjs').FetchServer} FetchServer */
/** @typedef {import('../lib/rounds.mjs').Samples} Samples */

const pages = { small: articleOf(10_000), large: articleOf(1_000_000) };
const TOGETHER = 200;

/** The contestants that are not peers. */
const own = new Set(['ours', 'in process', 'our reader alone']);

/**
 * Adds the best peer of each round.
 * @param {Record<string, Samples>} samples
 */
function fastest(samples) {
  const peers = Object.entries(samples).filter(([who, { values }]) => !own.has(who) && values.length > 0);
  if (peers.length === 0) return samples;
  const count = Math.min(...peers.map(([, { values }]) => values.length));
  const values = Array.from({ length: count }, (_, round) =>
    Math.min(...peers.map(([, one]) => one.values[round] ?? Number.POSITIVE_INFINITY)),
  );
  return { ...samples, fastest: { values } };
}

/**
 * The median of consecutive calls, each for a new page.
 * @param {number} times
 * @param {() => Promise<void>} one
 */
async function median(times, one) {
  const values = [];
  for (let turn = 0; turn < times; turn += 1) {
    const began = performance.now();
    await one();
    values.push(performance.now() - began);
  }
  return percentile(values, 0.5) ?? Number.NaN;
}

/** @param {import('../lib/session.mjs').Answer} answer */
function checkWhole(answer) {
  resultOf(answer);
  // a result without the end of the page is not valid
  if (!answer.line.includes('End of the article')) throw new Error('does not give all of the page');
}

const over = (
  /** @type {string} */ row,
  /** @type {string} */ name,
  /** @type {number} */ must,
  aim = must,
) => ({
  row,
  unit: 'ms',
  over: name,
  must,
  aim,
});

/**
 * The conversion of pages to Markdown, whole and main content, each the median of its round.
 * @type {import('../lib/group.mjs').Group}
 */
export const fetchPages = {
  workload: 'fetch pages',
  rows: {
    wholeSmall: over(
      'fetch: 10 KB to Markdown, wall over undici and turndown in process',
      'in process',
      0.5,
      0.2,
    ),
    wholeLarge: over(
      'fetch: 1 MB to Markdown, wall over undici and turndown in process',
      'in process',
      0.5,
      0.2,
    ),
    articleSmall: over('fetch: main content of 10 KB, wall over the faster Readability peer', 'fastest', 0.2),
    articleLarge: over('fetch: main content of 1 MB, wall over the faster Readability peer', 'fastest', 0.2),
    crowd: over(
      `fetch: ${TOGETHER} pages at once from ${HOSTS.length} hosts, over the fastest peer`,
      'fastest',
      1 / 3,
    ),
  },
  async run({ trees, quick }) {
    const folder = join(trees.root, 'fetch-peers');
    const site = await startSite(pages);
    const servers = [ours(site.port), ...peersIn(folder)];
    const sessions = servers.map((server) => ({ server, session: server.launch() }));
    // a server that does not start has an empty column
    const ready = new Map(
      sessions.map(({ server, session }) => [server.name, session.initialize().then(() => session)]),
    );
    await Promise.allSettled(ready.values());
    const reader = await readerAlone();
    const started = (/** @type {FetchServer} */ { name }) =>
      /** @type {Promise<Session>} */ (ready.get(name));
    try {
      /** @type {Record<string, Record<string, Samples>>} */
      const found = {};
      for (const [kind, page, times] of /** @type {const} */ ([
        ['whole', 'small', quick ? 20 : 60],
        ['whole', 'large', quick ? 2 : 4],
        ['article', 'small', quick ? 20 : 60],
        ['article', 'large', quick ? 2 : 4],
      ])) {
        const able = servers.filter((server) => server[kind] !== undefined);
        const samples = await rounds(quick ? 3 : 6, {
          ...Object.fromEntries(
            able.map((server) => [
              server.name,
              async () => {
                const session = await started(server);
                const call = /** @type {NonNullable<FetchServer['whole']>} */ (server[kind]);
                return median(times, async () => checkWhole(await session.callTool(call(site.fresh(page)))));
              },
            ]),
          ),
          ...(kind === 'whole' && {
            'in process': async () => {
              const convert = turndownIn(folder);
              return median(times, async () => void (await convert(site.fresh(page))));
            },
            'our reader alone': () =>
              median(times, async () => {
                const text = await reader.read(site.fresh(page));
                if (!text.includes('End of the article')) throw new Error('does not give all of the page');
              }),
          }),
        });
        found[`${kind}${page === 'small' ? 'Small' : 'Large'}`] = fastest(samples);
      }
      // all do the same work: the whole page
      const able = servers.filter(({ whole }) => whole !== undefined);
      found.crowd = fastest(
        await rounds(
          quick ? 2 : 5,
          Object.fromEntries(
            able.map((server) => [
              server.name,
              async () => {
                const session = await started(server);
                const call = /** @type {NonNullable<FetchServer['whole']>} */ (server.whole);
                const began = performance.now();
                const answers = await Promise.all(
                  Array.from({ length: TOGETHER }, (_, index) =>
                    session.callTool(call(site.fresh('small', HOSTS[index % HOSTS.length]))),
                  ),
                );
                const wall = performance.now() - began;
                for (const answer of answers) checkWhole(answer);
                return wall;
              },
            ]),
          ),
        ),
      );
      return found;
    } finally {
      for (const { session } of sessions) await session.close();
      await reader.end();
      site.close();
    }
  },
};

/**
 * The time of a cached page, and the delay of other calls while hostile pages are read.
 * @type {import('../lib/group.mjs').Group}
 */
export const fetchWaits = {
  workload: 'fetch waits',
  rows: {
    cached: { row: 'fetch: tools/call fetch of a kept page, median', unit: 'ms', must: 5 },
    ping: { row: 'fetch: ping while hostile pages are read, p99', unit: 'ms', must: 50 },
    slowest: { row: 'fetch: hostile page to its answer, slowest', unit: 'ms', must: 5000 },
  },
  async run({ quick }) {
    const site = await startSite({ ...pages, ...hostile }, { 'cache-control': 'max-age=600' });
    const session = ours(site.port, []).launch();
    try {
      await session.initialize();
      /** @type {import('../lib/servers.mjs').Call} */
      const kept = ['fetch', { url: site.fresh('large') }];
      resultOf(await session.callTool(kept));
      const cached = await rounds(quick ? 3 : 8, {
        ours: () => median(100, async () => void resultOf(await session.callTool(kept))),
      });
      /** @type {number[]} */
      const pings = [];
      let slowest = 0;
      for (let turn = 0; turn < (quick ? 1 : 3); turn += 1) {
        for (const name of Object.keys(hostile)) {
          const id = session.nextId();
          const began = performance.now();
          const params = { name: 'fetch', arguments: { url: site.fresh(name) } };
          let isOver = false;
          const answer = session.send(id, encode(id, 'tools/call', params)).then(({ at }) => {
            isOver = true;
            slowest = Math.max(slowest, at - began);
          });
          do {
            const asked = performance.now();
            pings.push((await session.request('ping')).at - asked);
          } while (!isOver);
          await answer;
        }
      }
      return {
        cached,
        ping: { ours: { values: [percentile(pings, 0.99) ?? Number.NaN] } },
        slowest: { ours: { values: [slowest] } },
      };
    } finally {
      await session.close();
      site.close();
    }
  },
};

/** @type {import('../lib/group.mjs').Group} */
export const fetchStart = {
  workload: 'fetch start',
  rows: {
    cpu: { row: 'fetch: spawn to tools/list, CPU', unit: 'ms', over: 'responder', must: 1.5, aim: 1.15 },
    bytes: { row: 'fetch: tools/list answer', unit: 'bytes', must: 16_384 },
  },
  async run({ responder, trees, quick }) {
    /** @type {number[]} */
    const bytes = [];
    const servers = [
      ours(3000, []),
      { name: 'responder', launch: () => new Session(responder.launch(trees.root)) },
      ...peersIn(join(trees.root, 'fetch-peers')),
    ];
    const cpu = await rounds(
      quick ? 6 : 20,
      Object.fromEntries(
        servers.map(({ name, launch }) => [
          name,
          async () => {
            const session = launch();
            try {
              await session.initialize();
              const answer = await session.request('tools/list');
              if (name === 'ours') bytes.push(answer.line.length + 1);
              return cpuAtRest(session.pid) / 1e6;
            } finally {
              await session.close();
            }
          },
        ]),
      ),
    );
    return { cpu, bytes: { ours: { values: bytes } } };
  },
};
