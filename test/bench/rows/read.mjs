import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { timeProgram } from '../lib/machine.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { rounds } from '../lib/rounds.mjs';
import { encode, resultOf, Session } from '../lib/session.mjs';

const IN_FLIGHT = 64;

/**
 * Many small reads, by processor time.
 * @type {import('../lib/group.mjs').Group}
 */
export const readSmall = {
  workload: 'read',
  rows: {
    cpu: { row: '1 KB, CPU per call, 64 in flight', unit: 'us', over: 'responder', must: 2, aim: 1.5 },
    wall: { row: '1 KB, wall per call, 64 in flight', unit: 'us', over: 'responder' },
  },
  async run({ all, trees, quick }) {
    const root = trees.small();
    const calls = quick ? 5000 : 20_000;
    const walls = each(all, () => /** @type {number[]} */ ([]));
    const cpu = await rounds(
      quick ? 3 : 5,
      each(
        all,
        ({ name, dialect, launch }) =>
          () =>
            during(new Session(launch(root)), async (session) => {
              const params = Array.from({ length: IN_FLIGHT }, (_, i) => {
                const [tool, args] = dialect.read(join(root, `note-${i}.txt`));
                return { name: tool, arguments: args };
              });
              resultOf(await session.request('tools/call', params[0]));
              await flood(session, params, quick ? 2000 : 5000);
              const before = cpuAtRest(session.pid);
              const began = performance.now();
              await flood(session, params, calls);
              walls[name]?.push(((performance.now() - began) * 1000) / calls);
              return (cpuAtRest(session.pid) - before) / 1000 / calls;
            }),
      ),
    );
    return { cpu, wall: each(all, ({ name }) => ({ values: walls[name] ?? [] })) };
  },
};

/**
 * A 10 MB file, by wall from request to the last byte; cat is timed from its spawn.
 * @type {import('../lib/group.mjs').Group}
 */
export const readLarge = {
  workload: 'read',
  rows: {
    ascii: { row: '10 MB, wall over cat', unit: 'ms', over: 'cat', must: 4, aim: 3 },
    mixed: { row: '10 MB with letters beyond Latin, wall over cat', unit: 'ms', over: 'cat' },
  },
  async run(context) {
    return { ascii: await readWhole(context, 'large.txt'), mixed: await readWhole(context, 'mixed.txt') };
  },
};

/**
 * @param {import('../lib/group.mjs').Context} context
 * @param {string} name
 */
function readWhole({ all, trees, quick }, name) {
  const root = trees.large();
  const path = join(root, name);
  const expected = readFileSync(path, 'utf8');
  return rounds(quick ? 3 : 6, {
    ...each(
      all,
      ({ dialect, launch }) =>
        () =>
          during(new Session(launch(root, dialect.large)), async (session) => {
            let least = Number.POSITIVE_INFINITY;
            for (let i = 0; i < 3; i += 1) {
              const began = performance.now();
              const answer = await session.callTool(dialect.read(path));
              least = Math.min(least, answer.at - began);
              if (i === 0 && !holds(resultOf(answer), expected)) throw new Error('answers another text');
            }
            return least;
          }),
    ),
    cat: async () => {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 3; i += 1) least = Math.min(least, (await timeProgram('cat', [path]))?.ms ?? least);
      return least;
    },
  });
}

/**
 * Whether some string of a result holds the text whole.
 * @param {unknown} value
 * @param {string} expected
 * @returns {boolean}
 */
function holds(value, expected) {
  if (typeof value === 'string') return value.includes(expected);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((below) => holds(below, expected));
}

/**
 * Sends `total` calls and keeps 64 of them in flight; the answers of one chunk are replaced by one write.
 * @param {Session} session
 * @param {readonly object[]} params taken in turn
 * @param {number} total
 * @returns {Promise<void>}
 */
function flood(session, params, total) {
  let sent = 0;
  let received = 0;
  const next = () => {
    const line = encode(session.nextId(), 'tools/call', params[sent % params.length]);
    sent += 1;
    return line;
  };
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('server exits'));
    session.child.once('close', gone);
    session.onLines = (lines) => {
      let batch = '';
      for (const line of lines) {
        received += 1;
        if (line.length < 1024) reject(new Error(`answers ${line.toString().slice(0, 200)}`));
        if (sent < total) batch += next();
      }
      if (batch !== '') session.write(batch);
      if (received < total) return;
      session.onLines = undefined;
      session.child.off('close', gone);
      resolve();
    };
    let batch = '';
    for (let i = 0; i < IN_FLIGHT; i += 1) batch += next();
    session.write(batch);
  });
}
