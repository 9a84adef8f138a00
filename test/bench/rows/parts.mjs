import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { timeProgram } from '../lib/machine.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { LINES_PER_BLOCK, PART_BLOCKS } from '../lib/trees.mjs';

const FROM = (PART_BLOCKS - 10) * LINES_PER_BLOCK + 1;
const LINES = 10;

/** @typedef {import('../lib/servers.mjs').Dialect} Dialect */

/** @type {Record<'head' | 'tail' | 'range', { call: (dialect: Dialect, path: string) => import('../lib/servers.mjs').Call | undefined, program: (path: string) => [string, string[]] }>} */
const parts = {
  head: {
    call: (dialect, path) => dialect.head(path, LINES),
    program: (path) => ['head', ['-n', String(LINES), path]],
  },
  tail: {
    call: (dialect, path) => dialect.tail(path, LINES),
    program: (path) => ['tail', ['-n', String(LINES), path]],
  },
  range: {
    call: (dialect, path) => dialect.range?.(path, FROM, LINES),
    // the minimal work: count line ends up to the lines, write ten
    program: (path) => ['sh', ['-c', `tail -n +${FROM} "$0" | head -n ${LINES}`, path]],
  },
};

/**
 * The wall time from request to answer for ten lines of a file of 100 MB; programs are timed from their spawn.
 * @type {import('../lib/group.mjs').Group}
 */
export const parted = {
  workload: 'read',
  rows: {
    head: { row: '100 MB file, first 10 lines, wall over head', unit: 'ms', over: 'head', must: 1.5 },
    tail: { row: '100 MB file, last 10 lines, wall over tail', unit: 'ms', over: 'tail', must: 1.5 },
    range: { row: '100 MB file, 10 lines at 90 MB, wall over tail', unit: 'ms', over: 'range', must: 1.5 },
  },
  async run({ all, trees, quick }) {
    const path = join(trees.parted(), 'parted.txt');
    /** @param {keyof typeof parts} kind */
    const measure = async (kind) => {
      const [command, args] = parts[kind].program(path);
      const expected = (await timeProgram(command, args))?.output.toString();
      return rounds(quick ? 3 : 6, {
        ...each(all, ({ dialect, launch }) => async () => {
          const call = parts[kind].call(dialect, path);
          if (!call) return undefined;
          return during(new Session(launch(trees.root)), async (session) => {
            let least = Number.POSITIVE_INFINITY;
            for (let i = 0; i < 5; i += 1) {
              const began = performance.now();
              const answer = await session.callTool(call);
              least = Math.min(least, answer.at - began);
              if (i === 0 && !says(resultOf(answer), expected ?? '')) throw new Error('answers other lines');
            }
            return least;
          });
        }),
        [kind]: async () => {
          let least = Number.POSITIVE_INFINITY;
          for (let i = 0; i < 5; i += 1)
            least = Math.min(least, (await timeProgram(command, args))?.ms ?? least);
          return least;
        },
      });
    };
    return { head: await measure('head'), tail: await measure('tail'), range: await measure('range') };
  },
};

/**
 * @param {unknown} result
 * @param {string} expected
 */
function says(result, expected) {
  const [first = ''] = expected.split('\n');
  return JSON.stringify(result).includes(JSON.stringify(first).slice(1, -1));
}
