import { join } from 'node:path';
import { childrenOf, cpuAtRest, isGone, peakKb } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { encode, resultOf, Session } from '../lib/session.mjs';
import { makeDatabase } from '../sqlite/database.mjs';
import { ours } from '../sqlite/peers.mjs';

/** @typedef {import('../sqlite/peers.mjs').SqliteServer} SqliteServer */

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
/** A query that would take all memory. */
const GREEDY = [
  'SELECT zeroblob(300000000)',
  'SELECT group_concat(note) FROM reading, (SELECT 1 UNION SELECT 2)',
  'SELECT * FROM reading ORDER BY note DESC',
  'SELECT id, at, sensor, value, note, flag FROM reading',
];

/**
 * An endless query: the delay of other calls, and the time until it is stopped.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqliteRunaway = {
  workload: 'sqlite runaway',
  rows: {
    ping: { row: 'sqlite: ping during a query that does not end, p99', unit: 'ms', must: 20 },
    stop: { row: 'sqlite: cancel to the end of its process, slowest', unit: 'ms', must: 100 },
  },
  async run({ trees, quick }) {
    const path = makeDatabase(join(trees.root, 'sqlite-runaway'), 1000);
    const session = ours().launch(path);
    const [pings, stops] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    try {
      await session.initialize();
      for (let turn = 0; turn < (quick ? 5 : 20); turn += 1) {
        resultOf(await session.callTool(['read_query', { query: 'SELECT 1' }]));
        const id = session.nextId();
        session.write(encode(id, 'tools/call', { name: 'read_query', arguments: { query: ENDLESS } }));
        for (let i = 0; i < 50; i += 1) {
          const began = performance.now();
          pings.push((await session.request('ping')).at - began);
        }
        const lanes = childrenOf(session.pid);
        const began = performance.now();
        const params = { requestId: id };
        session.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`);
        while (!lanes.some(isGone)) await new Promise((resolve) => setImmediate(resolve));
        stops.push(performance.now() - began);
      }
      return {
        ping: { ours: { values: [percentile(pings, 0.99) ?? Number.NaN] } },
        stop: { ours: { values: [Math.max(...stops)] } },
      };
    } finally {
      await session.close();
    }
  },
};

/**
 * The peak memory of queries for unbounded results, and the start.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqliteStart = {
  workload: 'sqlite start',
  rows: {
    cpu: { row: 'sqlite: spawn to tools/list, CPU', unit: 'ms', over: 'responder', must: 1.5, aim: 1.15 },
    bytes: { row: 'sqlite: tools/list answer', unit: 'bytes', must: 19_999, aim: 16_384 },
    server: { row: 'sqlite: peak memory of the server', unit: 'MiB', must: 90 },
    lane: { row: 'sqlite: peak memory of a lane', unit: 'MiB', must: 256 },
  },
  async run({ responder, trees, quick }) {
    const path = makeDatabase(join(trees.root, 'sqlite-start'), 300_000);
    /** @type {readonly Pick<SqliteServer, 'name' | 'launch'>[]} */
    const servers = [ours(), { name: 'responder', launch: () => new Session(responder.launch(path)) }];
    /** @type {number[]} */
    const bytes = [];
    const cpu = await rounds(
      quick ? 6 : 20,
      Object.fromEntries(
        servers.map(({ name, launch }) => [
          name,
          async () => {
            const session = launch(path);
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
    return { cpu, bytes: { ours: { values: bytes } }, ...(await peaksOf(path)) };
  },
};

/** @param {string} path */
async function peaksOf(path) {
  const session = ours().launch(path);
  try {
    await session.initialize();
    let lane = 0;
    const look = () => {
      for (const pid of childrenOf(session.pid)) lane = Math.max(lane, peakKb(pid));
    };
    const looking = setInterval(look, 5);
    // some of them are refused or end their process; their peak memory counts
    for (const query of GREEDY) await session.callTool(['read_query', { query }]);
    look();
    clearInterval(looking);
    return {
      server: { ours: { values: [peakKb(session.pid) / 1024] } },
      lane: { ours: { values: [lane / 1024] } },
    };
  } finally {
    await session.close();
  }
}
