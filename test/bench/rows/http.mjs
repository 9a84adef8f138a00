import { beginSession, Connection, load } from '../lib/http-client.mjs';
import { sessionRequest, statelessRequest } from '../lib/http-requests.mjs';
import { HttpServer } from '../lib/http-server.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { eachProgram } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';

/** @typedef {import('../lib/programs.mjs').Program} Program */
/** @typedef {import('../lib/http-requests.mjs').Request} Request */

/**
 * A request, and a part of every answer to it.
 * @typedef {{ kind: 'stateless' | 'session', message: import('../lib/http-requests.mjs').Message, expected: string }} Question
 */

/** @type {Question} */
const call = {
  kind: 'stateless',
  message: { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } },
  expected: '"structuredContent":{"sum":3}',
};
/** @type {Question} */
const callInSession = { ...call, kind: 'session' };
/** @type {Question} */
const list = { kind: 'stateless', message: { method: 'tools/list' }, expected: '"name":"write_report"' };

/**
 * The processor time of one request over 32 keep-alive connections, for a server with 14 tools of each library.
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
    /** @param {Question} question */
    const measureAll = (question) =>
      rounds(
        quick ? 4 : 12,
        eachProgram(question.kind, (program) => () => measure(program, question)),
      );
    return {
      call: await measureAll(call),
      session: await measureAll(callInSession),
      list: await measureAll(list),
    };
  },
};

/**
 * Starts a new process for each sample: two processes of one program can differ more than two programs.
 * @param {Program} program
 * @param {Question} question
 */
async function measure({ path, calls }, { kind, message, expected }) {
  const server = new HttpServer(path, kind);
  try {
    const port = await server.port();
    const request = kind === 'session' ? await inSession(port, message) : statelessRequest(port, message);
    const { body } = await load(port, request, calls);
    if (!body.includes(expected)) throw new Error(`answers ${body.slice(0, 300)}`);
    const before = cpuAtRest(server.pid);
    await load(port, request, calls);
    return (cpuAtRest(server.pid) - before) / 1000 / calls;
  } finally {
    await server.close();
  }
}

/**
 * @param {number} port
 * @param {Question['message']} message
 * @returns {Promise<Request>}
 */
async function inSession(port, message) {
  const connection = new Connection(port);
  const session = await beginSession(port, connection);
  connection.close();
  return sessionRequest(port, session, message);
}
