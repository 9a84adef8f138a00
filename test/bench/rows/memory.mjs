import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { peakKb, resetPeak } from '../lib/proc.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { BLOCKS, LINES_PER_BLOCK } from '../lib/trees.mjs';

const TARGET = 900;
// a thirty-second of the file: memory proportional to its size exceeds this
const MOST = 32;

/** @typedef {import('../lib/servers.mjs').Dialect} Dialect */

/** @type {Record<'head' | 'tail' | 'range', { call: (dialect: Dialect, path: string) => import('../lib/servers.mjs').Call | undefined, holds: string }>} */
const reads = {
  head: { call: (dialect, path) => dialect.head(path, 10), holds: 'block 0000' },
  tail: { call: (dialect, path) => dialect.tail(path, 10), holds: `block ${BLOCKS - 1}` },
  range: {
    call: (dialect, path) => dialect.range?.(path, TARGET * LINES_PER_BLOCK + 1, 10),
    holds: `block 0${TARGET}`,
  },
};

/**
 * The peak memory above that of the idle server for reads of parts of a 1 GiB file.
 * @type {import('../lib/group.mjs').Group}
 */
export const readPart = {
  workload: 'memory',
  rows: {
    head: { row: '1 GB file, first 10 lines, peak above idle', unit: 'MiB', must: MOST },
    tail: { row: '1 GB file, last 10 lines, peak above idle', unit: 'MiB', must: MOST },
    range: { row: '1 GB file, 10 lines at 900 MB, peak above idle', unit: 'MiB', must: MOST },
    rangeWall: { row: '1 GB file, 10 lines at 900 MB, wall', unit: 'ms' },
  },
  async run({ all, trees }) {
    const root = trees.huge();
    const small = trees.small();
    const path = join(root, 'huge.txt');
    const walls = each(all, () => /** @type {number[]} */ ([]));
    /** @param {keyof typeof reads} kind */
    const peak = (kind) =>
      rounds(
        1,
        each(all, ({ name, dialect, launch }) => async () => {
          const call = reads[kind].call(dialect, path);
          if (!call) return undefined;
          return during(new Session(launch(trees.root)), async (session) => {
            resultOf(await session.callTool(dialect.read(join(small, 'note-0.txt'))));
            const idle = resetPeak(session.pid);
            const began = performance.now();
            const answer = await session.callTool(call);
            if (kind === 'range') walls[name]?.push(answer.at - began);
            const text = JSON.stringify(resultOf(answer));
            if (!text.includes(reads[kind].holds))
              throw new Error(`answers other lines: ${text.slice(0, 200)}`);
            return (peakKb(session.pid) - idle) / 1024;
          });
        }),
      );
    const found = { head: await peak('head'), tail: await peak('tail'), range: await peak('range') };
    trees.drop('huge');
    return { ...found, rangeWall: each(all, ({ name }) => ({ values: walls[name] ?? [] })) };
  },
};
