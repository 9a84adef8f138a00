import { join } from 'node:path';
import { cpuAtRest } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { resultOf } from '../lib/session.mjs';
import { Database, makeDatabase, ROWS } from '../sqlite/database.mjs';
import { nodeIn, ours, peersIn } from '../sqlite/peers.mjs';

/** @typedef {import('../sqlite/peers.mjs').SqliteServer} SqliteServer */
/** @typedef {import('../lib/rounds.mjs').Samples} Samples */
/** @typedef {import('../lib/session.mjs').Session} Session */

/** Options for complete results, like those of the peers. */
const WHOLE = ['--max-output', '64M'];
const OFTEN = 200;
const PAGE = 10_000;

const pointAt = (/** @type {number} */ turn) =>
  `SELECT id, at, sensor, value, note, flag FROM reading WHERE sensor = ${((turn % 64) * 7919) % ROWS}`;
const many = (/** @type {number} */ rows) =>
  `SELECT id, at, sensor, value, note, flag FROM reading WHERE id <= ${rows}`;

/** Runs a query in this process: rows as objects, and their JSON. */
class InProcess {
  #db;

  /** @param {string} path */
  constructor(path) {
    this.#db = new Database(path, { readonly: true });
    /** @type {Map<string, { all(): object[] }>} */
    this.prepared = new Map();
  }

  /** @param {string} sql */
  query(sql) {
    const statement = this.prepared.get(sql) ?? this.#db.prepare(sql);
    this.prepared.set(sql, statement);
    return JSON.stringify(statement.all());
  }

  close() {
    this.#db.close();
  }
}

const floor = (/** @type {string} */ row) => ({ row, unit: 'ms', over: 'in process', must: 0.8, aim: 0.4 });
const half = (/** @type {string} */ row) => ({ row, unit: 'bytes', over: 'fewest', must: 0.5 });

/**
 * Opens sessions with servers on one database, with their calls; a server that does not start has an empty column.
 * @param {readonly SqliteServer[]} servers
 * @param {string} path
 */
async function sessionsWith(servers, path) {
  const sessions = servers.map((server) => ({ server, session: server.launch(path) }));
  const ready = new Map(
    sessions.map(({ server, session }) => [server.name, session.initialize().then(() => session)]),
  );
  await Promise.allSettled(ready.values());
  return {
    each: (/** @type {(session: Session, server: SqliteServer) => Promise<number>} */ measure) =>
      Object.fromEntries(
        servers.map((server) => [
          server.name,
          async () => measure(/** @type {Session} */ (await ready.get(server.name)), server),
        ]),
      ),
    async close() {
      for (const { session } of sessions) await session.close();
    },
  };
}

/**
 * The time of a row by its index: the median of many calls, of the best round.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqlitePoints = {
  workload: 'sqlite',
  rows: {
    point: { row: 'indexed point query, wall, over the fastest peer', unit: 'ms', over: 'fastest', must: 1 },
  },
  async run({ trees, quick }) {
    const path = makeDatabase(join(trees.root, 'sqlite-point'));
    const folder = join(trees.root, 'sqlite-peers');
    const peers = peersIn(folder);
    // the cost of short calls depends on Node, so all servers run under the same one
    const own = peers.length === 0 ? ours(WHOLE) : ours(WHOLE, nodeIn(folder));
    const { each, close } = await sessionsWith([own, ...peers], path);
    const direct = new InProcess(path);
    try {
      const point = await rounds(quick ? 3 : 20, {
        ...each(async (session, { read }) => {
          const values = [];
          for (let turn = 0; turn < OFTEN; turn += 1) {
            const call = read(path, pointAt(turn));
            const began = performance.now();
            const answer = await session.callTool(call);
            values.push(answer.at - began);
            if (turn === 0) resultOf(answer);
          }
          return percentile(values, 0.5) ?? Number.NaN;
        }),
        'in process': async () => {
          const began = performance.now();
          for (let turn = 0; turn < OFTEN; turn += 1) direct.query(pointAt(turn));
          return (performance.now() - began) / OFTEN;
        },
      });
      return { point: fastest(point) };
    } finally {
      direct.close();
      await close();
    }
  },
};

/**
 * The cost of consecutive large results, each of the best round.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqliteReads = {
  workload: 'sqlite',
  rows: {
    wall10: floor('10,000 rows, wall over better-sqlite3 and JSON.stringify'),
    cpu10: { row: '10,000 rows, CPU of all processes of the server', unit: 'ms', over: 'in process' },
    bytes10: half('10,000 rows, answer over the smallest of a peer'),
    wall100: floor('100,000 rows, wall over better-sqlite3 and JSON.stringify'),
    cpu100: { row: '100,000 rows, CPU of all processes of the server', unit: 'ms', over: 'in process' },
    bytes100: half('100,000 rows, answer over the smallest of a peer'),
  },
  async run({ trees, quick }) {
    const path = makeDatabase(join(trees.root, 'sqlite'));
    const servers = [ours(WHOLE), ...peersIn(join(trees.root, 'sqlite-peers'))];
    const { each, close } = await sessionsWith(servers, path);
    const direct = new InProcess(path);
    try {
      /** @type {Record<string, Record<string, Samples>>} */
      const found = {};
      for (const [name, rows] of /** @type {const} */ ([
        ['10', 10_000],
        ['100', 100_000],
      ])) {
        /** @type {Record<'cpu' | 'bytes', Record<string, Samples>>} */
        const beside = { cpu: {}, bytes: {} };
        const note = (/** @type {string} */ who, /** @type {number} */ cpu, /** @type {number} */ bytes) => {
          for (const [kind, value] of /** @type {const} */ ([
            ['cpu', cpu],
            ['bytes', bytes],
          ])) {
            const { values } = beside[kind][who] ?? { values: [] };
            beside[kind][who] = { values: [...values, value] };
          }
        };
        // each round is one call; six rounds would be dominated by the first one and by noise
        found[`wall${name}`] = await rounds(quick ? 3 : 20, {
          ...each(async (session, server) => {
            const before = cpuAtRest(session.pid);
            const began = performance.now();
            const answer = await session.callTool(server.read(path, many(rows)));
            const wall = answer.at - began;
            resultOf(answer);
            // a result without all rows is not valid
            if (!answer.line.includes(`note of ${rows}`)) throw new Error('does not give all rows');
            note(server.name, (cpuAtRest(session.pid) - before) / 1e6, answer.line.length + 1);
            return wall;
          }),
          'in process': async () => {
            const [began, cpu] = [performance.now(), process.cpuUsage()];
            const { length } = direct.query(many(rows));
            const wall = performance.now() - began;
            const { user, system } = process.cpuUsage(cpu);
            note('in process', (user + system) / 1000, length);
            return wall;
          },
        });
        found[`cpu${name}`] = beside.cpu;
        found[`bytes${name}`] = fewest(beside.bytes);
      }
      return found;
    } finally {
      direct.close();
      await close();
    }
  },
};

/**
 * Adds the best peer of each round.
 * @param {Record<string, Samples>} samples
 * @param {string} name
 */
function fastest(samples, name = 'fastest') {
  const peers = Object.entries(samples).filter(
    ([who, { values }]) => who !== 'ours' && who !== 'in process' && values.length > 0,
  );
  const count = Math.min(...peers.map(([, { values }]) => values.length));
  if (peers.length === 0) return samples;
  const values = Array.from({ length: count }, (_, round) =>
    Math.min(...peers.map(([, one]) => one.values[round] ?? Number.POSITIVE_INFINITY)),
  );
  return { ...samples, [name]: { values } };
}

const fewest = (/** @type {Record<string, Samples>} */ samples) => fastest(samples, 'fewest');

/**
 * The time of pages of a table of a million rows, from the first to the last.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqlitePages = {
  workload: 'sqlite pages',
  rows: {
    last: {
      row: 'sqlite: the last pages of 1,000,000 rows over the first',
      unit: 'ms',
      over: 'first',
      must: 1.5,
    },
  },
  async run({ trees }) {
    const path = makeDatabase(join(trees.root, 'sqlite-pages'));
    const session = ours(WHOLE).launch(path);
    try {
      await session.initialize();
      const query = 'SELECT * FROM reading';
      const walls = [];
      let rows = 0;
      let cursor;
      do {
        const began = performance.now();
        const answer = await session.callTool([
          'read_query',
          { query, limit: PAGE, ...(cursor && { cursor }) },
        ]);
        walls.push(answer.at - began);
        const { structuredContent } = resultOf(answer);
        rows += structuredContent.rows.length;
        cursor = structuredContent.next_cursor;
      } while (cursor !== undefined);
      if (rows !== ROWS) throw new Error(`the pages have ${rows} rows`);
      // the first one includes the warm-up
      return { last: { ours: { values: walls.slice(-6, -1) }, first: { values: walls.slice(1, 6) } } };
    } finally {
      await session.close();
    }
  },
};

/**
 * The time from a write, by our server or another program, to the notification of its table.
 * @type {import('../lib/group.mjs').Group}
 */
export const sqliteWatch = {
  workload: 'sqlite watch',
  rows: {
    own: { row: 'sqlite: own write to notification, p99', unit: 'ms', must: 20 },
    other: { row: "sqlite: another program's write to notification in WAL mode, p99", unit: 'ms', must: 100 },
    wrong: { row: 'sqlite: notifications of a table that was not written', unit: 'notifications', must: 0 },
  },
  async run({ trees, quick }) {
    const path = makeDatabase(join(trees.root, 'sqlite-watch'), 100_000);
    const session = ours().launch(path);
    const other = new Database(path);
    try {
      await session.initialize();
      const uri = `sqlite://${path}?table=event`;
      const quiet = `sqlite://${path}?table=reading`;
      for (const each of [uri, quiet]) resultOf(await session.request('resources/subscribe', { uri: each }));
      let wrong = 0;
      /** @type {((at: number) => void) | undefined} */
      let heard;
      session.onNotification = ({ method, params }, at) => {
        if (method !== 'notifications/resources/updated') return;
        if (params?.uri === quiet) wrong += 1;
        if (params?.uri === uri) heard?.(at);
      };
      const arrival = () =>
        new Promise((/** @type {(at: number) => void} */ resolve) => {
          heard = resolve;
        });
      const times = quick ? 30 : 200;
      const [own, others] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
      for (let turn = 0; turn < times; turn += 1) {
        let updated = arrival();
        const query = `INSERT INTO event (text) VALUES ('own ${turn}')`;
        const answer = await session.callTool(['write_query', { query }]);
        resultOf(answer);
        own.push(Math.max(0, (await updated) - answer.at));
        updated = arrival();
        other.prepare('INSERT INTO event (text) VALUES (?)').run(`other ${turn}`);
        const ended = performance.now();
        others.push(Math.max(0, (await updated) - ended));
      }
      return {
        own: { ours: { values: [percentile(own, 0.99) ?? Number.NaN] } },
        other: { ours: { values: [percentile(others, 0.99) ?? Number.NaN] } },
        wrong: { ours: { values: [wrong] } },
      };
    } finally {
      other.close();
      await session.close();
    }
  },
};
