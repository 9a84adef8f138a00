import { beginSession, Connection } from '../lib/http-client.mjs';
import { statelessRequest, streamText } from '../lib/http-requests.mjs';
import { HttpServer } from '../lib/http-server.mjs';
import { OpenStreams } from '../lib/open-streams.mjs';
import { anonymousKb } from '../lib/proc.mjs';
import { eachProgram } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';

/** Number of clients before the first measurement, so that code and pools are loaded. */
const WARM = 100;
const ACKNOWLEDGED = 'subscriptions/acknowledged';

const listen = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };

/** @typedef {(port: number, streams: OpenStreams, count: number) => Promise<void>} Open */

/** @type {{ session: Open, stateless: Open }} */
const waiting = {
  session: async (port, streams, count) => {
    const connection = new Connection(port);
    /** @type {string[]} */
    const texts = [];
    while (texts.length < count) texts.push(streamText(port, await beginSession(port, connection)));
    connection.close();
    await streams.open(texts);
  },
  stateless: (port, streams, count) =>
    streams.open(
      Array.from({ length: count }, (_, i) => statelessRequest(port, listen)(i)),
      ACKNOWLEDGED,
    ),
};

/** @type {import('../lib/group.mjs').Group} */
export const idle = crowd(1000, 3, false);

/** @type {import('../lib/group.mjs').Group} */
export const idleMany = crowd(10_000, 1, true);

/**
 * The resident memory of the server per idle client, with its connection.
 * @param {number} count
 * @param {number} times
 * @param {boolean} fullOnly
 * @returns {import('../lib/group.mjs').Group}
 */
function crowd(count, times, fullOnly) {
  const many = count.toLocaleString('en-US');
  /** @param {'session' | 'stateless'} kind */
  const weigh = (kind) =>
    rounds(
      times,
      eachProgram(
        kind,
        ({ path }) =>
          () =>
            weighOne(path, kind, count),
      ),
    );
  return {
    workload: 'idle',
    fullOnly,
    rows: {
      session: { row: `a session with an open stream, of ${many}`, unit: 'KB', must: 35, aim: 25 },
      stateless: { row: `a subscriptions/listen stream, of ${many}`, unit: 'KB', must: 35, aim: 25 },
    },
    run: async () => ({ session: await weigh('session'), stateless: await weigh('stateless') }),
  };
}

/**
 * @param {string} path
 * @param {'session' | 'stateless'} kind
 * @param {number} count
 */
async function weighOne(path, kind, count) {
  const server = new HttpServer(path, kind);
  const port = await server.port();
  const streams = new OpenStreams(port);
  try {
    await waiting[kind](port, streams, WARM);
    const before = anonymousKb(server.pid);
    await waiting[kind](port, streams, count);
    return (anonymousKb(server.pid) - before) / count;
  } finally {
    streams.close();
    await server.close();
  }
}
