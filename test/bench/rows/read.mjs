import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flood, IN_FLIGHT } from '../lib/flood.mjs';
import { during, each } from '../lib/group.mjs';
import { timeProgram } from '../lib/machine.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';

/**
 * The processor time of many small reads.
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
              await flood(session, params, quick ? 2000 : 5000, isWhole);
              const before = cpuAtRest(session.pid);
              const began = performance.now();
              await flood(session, params, calls, isWhole);
              walls[name]?.push(((performance.now() - began) * 1000) / calls);
              return (cpuAtRest(session.pid) - before) / 1000 / calls;
            }),
      ),
    );
    return { cpu, wall: each(all, ({ name }) => ({ values: walls[name] ?? [] })) };
  },
};

/**
 * The wall time from request to the last byte for a 10 MB file; cat is timed from its spawn.
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
 * Returns whether a string of a result contains the whole text.
 * @param {unknown} value
 * @param {string} expected
 * @returns {boolean}
 */
function holds(value, expected) {
  if (typeof value === 'string') return value.includes(expected);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((below) => holds(below, expected));
}

/** @param {Buffer} line */
function isWhole(line) {
  return line.length >= 1024;
}
