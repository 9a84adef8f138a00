import { each, OpenSessions } from '../lib/group.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { WIDE } from '../lib/trees.mjs';

/**
 * The processor time of the first 100 entries of a directory of 100,000, in one session each, after a small listing.
 * @type {import('../lib/group.mjs').Group}
 */
export const listWide = {
  workload: 'list',
  rows: {
    first: { row: 'first page of 100,000, directory order, CPU', unit: 'ms', must: 10, aim: 2 },
    sorted: { row: 'first page of 100,000, sorted with total, CPU', unit: 'ms', must: 150, aim: 80 },
  },
  async run({ all, trees, quick }) {
    const small = trees.small();
    const wide = trees.wide();
    const sessions = new OpenSessions(
      ({ launch }) => new Session(launch(trees.root)),
      async (session, { dialect }) => {
        await session.initialize();
        resultOf(await session.callTool(dialect.firstPage(small)));
      },
    );
    /** @param {'firstPage' | 'sortedPage'} page */
    const pages = (page) =>
      rounds(
        quick ? 3 : 6,
        each(all, (contestant) => async () => {
          const session = await sessions.of(contestant);
          const before = cpuAtRest(session.pid);
          const answer = await session.callTool(contestant.dialect[page](wide));
          const used = (cpuAtRest(session.pid) - before) / 1e6;
          check(resultOf(answer), page);
          return used;
        }),
      );
    try {
      return { first: await pages('firstPage'), sorted: await pages('sortedPage') };
    } finally {
      await sessions.close();
    }
  },
};

/**
 * @param {unknown} result
 * @param {'firstPage' | 'sortedPage'} page
 */
function check(result, page) {
  const text = JSON.stringify(result);
  const names = new Set(text.match(/entry-\d{6}/g) ?? []);
  if (names.size < 100) throw new Error(`answers ${names.size} entries`);
  if (page === 'firstPage' || names.size === WIDE) return;
  if (!names.has('entry-000000') || !names.has('entry-000099'))
    throw new Error('the page is not the first by name');
  if (!/100[,.]?000/.test(text)) throw new Error('the total is missing');
}
