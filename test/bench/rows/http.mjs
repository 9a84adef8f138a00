import { beginSession, Connection, load } from '../lib/http-client.mjs';
import { sessionRequest, statelessRequest } from '../lib/http-requests.mjs';
import { HttpServers } from '../lib/http-server.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { eachProgram } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';

/** @typedef {import('../lib/programs.mjs').Program} Program */
/** @typedef {import('../lib/http-requests.mjs').Message} Message */

const call = { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } };
const list = { method: 'tools/list' };
/** What the answers hold, also where they are chunked. */
const sum = '"structuredContent":{"sum":3}';
const lastTool = '"name":"write_report"';

/**
 * One server with 14 tools for each library, asked over 32 keep-alive connections: processor time of one request.
 * @type {import('../lib/group.mjs').Group}
 */
export const http = {
  workload: 'http',
  rows: {
    call: { row: 'stateless tools/call, CPU', unit: 'us', over: 'responder', must: 2, aim: 1.2 },
    session: { row: 'tools/call in a session, CPU', unit: 'us', over: 'responder', must: 2, aim: 1.2 },
    list: { row: 'stateless tools/list, 14 tools, CPU', unit: 'us', over: 'responder', must: 5, aim: 1.5 },
  },
  async run({ quick }) {
    const servers = new HttpServers();
    const count = quick ? 5 : 16;
    /**
     * @param {Message} message
     * @param {string} expected
     */
    const stateless = (message, expected) =>
      rounds(
        count,
        eachProgram('stateless', (program) => async () => {
          const server = servers.of(program, 'stateless');
          const port = await server.port();
          return measure(server.pid, port, program.calls, statelessRequest(port, message), expected);
        }),
      );
    try {
      return {
        call: await stateless(call, sum),
        session: await rounds(
          count,
          eachProgram('session', (program) => async () => {
            const server = servers.of(program, 'session');
            const port = await server.port();
            const connection = new Connection(port);
            const session = await beginSession(port, connection);
            connection.close();
            return measure(server.pid, port, program.calls, sessionRequest(port, session, call), sum);
          }),
        ),
        list: await stateless(list, lastTool),
      };
    } finally {
      await servers.close();
    }
  },
};

/**
 * @param {number} pid
 * @param {number} port
 * @param {number} calls
 * @param {import('../lib/http-requests.mjs').Request} request
 * @param {string} expected
 */
async function measure(pid, port, calls, request, expected) {
  const before = cpuAtRest(pid);
  const { body } = await load(port, request, calls);
  const used = cpuAtRest(pid) - before;
  if (!body.includes(expected)) throw new Error(`answers ${body.slice(0, 300)}`);
  return used / 1000 / calls;
}
