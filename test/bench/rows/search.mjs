import { each, OpenSessions } from '../lib/group.mjs';
import { timeProgram } from '../lib/machine.mjs';
import { rounds } from '../lib/rounds.mjs';
import { Session } from '../lib/session.mjs';
import { HITS, NEEDLE } from '../lib/trees.mjs';

/** @typedef {import('../lib/servers.mjs').Call} Call */
/** @typedef {import('../lib/servers.mjs').Contestant} Contestant */

// the same work for both: ignore files apply, hidden files are searched
const RG = ['--no-config', '--hidden'];

/**
 * The wall time of name searches in a repository of 100,000 files, after a first query has started the workers.
 * @type {import('../lib/group.mjs').Group}
 */
export const searchNames = {
  workload: 'search',
  rows: {
    warm: {
      row: '50 names in 100,000 files, wall over ripgrep --files',
      unit: 'ms',
      over: 'ripgrep',
      must: 1.2,
      aim: 1,
    },
    first: { row: 'the first query for names of a session, wall', unit: 'ms', over: 'ripgrep' },
  },
  run: (context) =>
    search(context, {
      call: ({ dialect }, root) => dialect.findNames(root, '**/needle-*'),
      // a glob of ripgrep would override the ignore files
      ripgrep: (root) => [...RG, '--files', root],
      hit: /needle-\d{6}/g,
    }),
};

/**
 * The wall time of content searches in 100,000 files.
 * @type {import('../lib/group.mjs').Group}
 */
export const searchContent = {
  workload: 'search',
  rows: {
    warm: {
      row: '50 lines in 100,000 files, wall over ripgrep',
      unit: 'ms',
      over: 'ripgrep',
      must: 1.2,
      aim: 1,
    },
    first: { row: 'the first query for lines of a session, wall', unit: 'ms', over: 'ripgrep' },
  },
  run: (context) =>
    search(context, {
      call: ({ dialect }, root) => dialect.findContent?.(root, NEEDLE),
      ripgrep: (root) => [...RG, '--line-number', '--fixed-strings', NEEDLE, root],
      hit: /file-\d{6}/g,
    }),
};

/**
 * @param {import('../lib/group.mjs').Context} context
 * @param {{ call: (contestant: Contestant, root: string) => Call | undefined, ripgrep: (root: string) => string[], hit: RegExp }} query
 */
async function search({ all, trees, quick }, { call, ripgrep, hit }) {
  const root = trees.repository();
  const sessions = new OpenSessions(
    ({ launch }) => new Session(launch(root)),
    (session) => session.initialize(),
  );
  /** @param {Contestant} contestant */
  const ask = (contestant) => async () => {
    const wanted = call(contestant, root);
    if (!wanted) return undefined;
    const session = await sessions.of(contestant);
    const began = performance.now();
    const answer = await session.callTool(wanted);
    const ms = answer.at - began;
    count(answer.line, hit);
    return ms;
  };
  const rg = async () => {
    const run = await timeProgram('rg', ripgrep(root));
    if (!run) throw new Error('rg is not installed');
    count(run.output, hit);
    if (run.output.includes('ignored')) throw new Error('rg does not heed the ignore files');
    return run.ms;
  };
  try {
    // the page cache is warm before the first measurement
    await timeProgram('grep', ['-rc', 'nothing', root]);
    const first = await rounds(1, { ...each(all, ask), ripgrep: rg });
    const warm = await rounds(quick ? 4 : 10, { ...each(all, ask), ripgrep: rg });
    return { warm, first };
  } finally {
    await sessions.close();
  }
}

/**
 * @param {Buffer} output
 * @param {RegExp} hit
 */
function count(output, hit) {
  const found = new Set(output.toString('latin1').match(hit) ?? []).size;
  if (found !== HITS) throw new Error(`finds ${found} of ${HITS}: ${output.toString('utf8', 0, 200)}`);
}
