import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { rounds } from '../lib/rounds.mjs';
import { encode, resultOf, Session } from '../lib/session.mjs';
import { text } from '../lib/trees.mjs';

/**
 * The wall time from the first byte to the answer for one message that writes 10 MB.
 * @type {import('../lib/group.mjs').Group}
 */
export const writeLarge = {
  workload: 'write',
  rows: { wall: { row: '10 MB, wall', unit: 'ms', over: 'responder', must: 2, aim: 1 } },
  async run({ all, trees, quick }) {
    const root = trees.scratch();
    const content = text(10_000_000);
    const wall = await rounds(
      quick ? 3 : 6,
      each(
        all,
        ({ name, dialect, launch }) =>
          () =>
            during(new Session(launch(root)), async (session) => {
              const path = join(root, `${name}.txt`);
              const [tool, args] = dialect.write(path, content);
              let least = Number.POSITIVE_INFINITY;
              for (let i = 0; i < 3; i += 1) {
                const id = session.nextId();
                const line = Buffer.from(encode(id, 'tools/call', { name: tool, arguments: args }));
                const began = performance.now();
                const answer = await session.send(id, line);
                least = Math.min(least, answer.at - began);
                resultOf(answer);
              }
              if (readFileSync(path, 'utf8') !== content) throw new Error('wrote another text');
              return least;
            }),
      ),
    );
    return { wall };
  },
};
