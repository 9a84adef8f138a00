import { flood } from '../lib/flood.mjs';
import { during } from '../lib/group.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { eachProgram } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';

const add = { name: 'add', arguments: { a: 1, b: 2 } };
const stateless = {
  ...add,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/**
 * The processor time of calls of a tool that adds two numbers.
 * @type {import('../lib/group.mjs').Group}
 */
export const stdio = {
  workload: 'stdio',
  rows: {
    session: {
      row: 'call without work, 64 in flight, CPU',
      unit: 'us',
      over: 'responder',
      must: 2,
      aim: 1.2,
    },
    stateless: {
      row: 'stateless call without work, 64 in flight, CPU',
      unit: 'us',
      over: 'responder',
      must: 2,
      aim: 1.2,
    },
  },
  async run({ quick }) {
    /** @param {object} params */
    const calls = (params) =>
      rounds(
        quick ? 3 : 8,
        eachProgram('stdio', ({ path, calls: count, kinds }) => async () => {
          if (params === stateless && !kinds.includes('stateless')) return undefined;
          return during(
            new Session({ command: process.execPath, args: [path, 'stdio'] }),
            async (session) => {
              resultOf(await session.request('tools/call', params));
              await flood(session, [params], count, isSum);
              const before = cpuAtRest(session.pid);
              await flood(session, [params], count, isSum);
              return (cpuAtRest(session.pid) - before) / 1000 / count;
            },
          );
        }),
      );
    return { session: await calls(add), stateless: await calls(stateless) };
  },
};

/** @param {Buffer} line */
function isSum(line) {
  return line.includes('"structuredContent":{"sum":3}');
}
