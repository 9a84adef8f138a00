import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { during, each } from '../lib/group.mjs';
import { peakKb, resetPeak } from '../lib/proc.mjs';
import { rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';
import { EDITED_TEXT, NEEDLE } from '../lib/trees.mjs';

const MOST = 100;

/** @typedef {import('../lib/servers.mjs').Dialect} Dialect */
/** @typedef {import('../lib/trees.mjs').Trees} Trees */

/** @type {Record<'edit' | 'content' | 'copy' | 'list', { needs: (trees: Trees) => string, call: (dialect: Dialect, folder: string) => import('../lib/servers.mjs').Call | undefined }>} */
const calls = {
  edit: {
    needs: (trees) => trees.edited(),
    call(dialect, folder) {
      const path = join(folder, 'peak.txt');
      copyFileSync(join(folder, 'edited.txt'), path);
      return dialect.edit?.(path, EDITED_TEXT, 'another text');
    },
  },
  content: {
    needs: (trees) => trees.forest(),
    call: (dialect, folder) => dialect.findContent?.(folder, NEEDLE),
  },
  copy: {
    needs: (trees) => trees.forest(),
    call: (dialect, folder) => dialect.copy?.(folder, `${folder}-peak`),
  },
  list: { needs: (trees) => trees.wide(), call: (dialect, folder) => dialect.sortedPage(folder) },
};

/**
 * The peak memory of a call above that of the idle server.
 * @type {import('../lib/group.mjs').Group}
 */
export const peak = {
  workload: 'memory',
  rows: {
    edit: { row: 'edit in 60 MB, peak above idle', unit: 'MiB', must: MOST },
    content: { row: 'content search in 50,000 files, peak above idle', unit: 'MiB', must: MOST },
    copy: { row: 'copy of 50,000 files, peak above idle', unit: 'MiB', must: MOST },
    list: { row: 'sorted listing of 100,000, peak above idle', unit: 'MiB', must: MOST },
  },
  async run({ all, trees }) {
    const note = join(trees.small(), 'note-0.txt');
    /** @type {Record<string, Record<string, import('../lib/rounds.mjs').Samples>>} */
    const found = {};
    for (const [kind, { needs, call: make }] of Object.entries(calls)) {
      const folder = needs(trees);
      found[kind] = await rounds(
        1,
        each(all, ({ dialect, launch }) => async () => {
          const call = make(dialect, folder);
          if (!call) return undefined;
          return during(new Session(launch(trees.root)), async (session) => {
            resultOf(await session.callTool(dialect.read(note)));
            const idle = resetPeak(session.pid);
            resultOf(await session.callTool(call));
            return (peakKb(session.pid) - idle) / 1024;
          });
        }),
      );
    }
    return found;
  },
};
