import { during, each } from '../lib/group.mjs';
import { anonymousKb, cpuAtRest } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';

/**
 * Processor time and wall time from spawn to the answer of tools/list, private memory, and the size of the answer.
 * @type {import('../lib/group.mjs').Group}
 */
export const start = {
  workload: 'start',
  rows: {
    cpu: { row: 'spawn to tools/list, CPU', unit: 'ms', over: 'responder', must: 1.5, aim: 1.15 },
    wall: { row: 'spawn to tools/list, wall', unit: 'ms', over: 'responder' },
    memory: { row: 'own memory then, median', unit: 'MiB', must: 12, aim: 8 },
    bytes: { row: 'tools/list answer', unit: 'bytes', must: 15_999 },
  },
  async run({ all, trees, quick }) {
    const root = trees.small();
    const seen = each(all, () => ({
      wall: /** @type {number[]} */ ([]),
      memory: /** @type {number[]} */ ([]),
      bytes: /** @type {number[]} */ ([]),
    }));
    const cpu = await rounds(
      quick ? 6 : 20,
      each(
        all,
        ({ name, launch }) =>
          () =>
            during(new Session(launch(root)), async (session) => {
              const answer = await session.request('tools/list');
              const used = cpuAtRest(session.pid) / 1e6;
              seen[name]?.memory.push(anonymousKb(session.pid) / 1024);
              seen[name]?.wall.push(answer.at - session.started);
              seen[name]?.bytes.push(answer.line.length + 1);
              if (!(resultOf(answer).tools.length > 0)) throw new Error('lists no tools');
              return used;
            }),
      ),
    );
    return {
      cpu,
      wall: each(all, ({ name }) => ({ values: seen[name]?.wall ?? [] })),
      memory: each(all, ({ name }) => ({ values: median(seen[name]?.memory ?? []) })),
      bytes: each(all, ({ name }) => ({ values: seen[name]?.bytes.slice(0, 1) ?? [] })),
    };
  },
};

// the least of many would depend on an early garbage collection
/** @param {number[]} values */
function median(values) {
  const middle = percentile(values, 0.5);
  return middle === null ? [] : [middle];
}
