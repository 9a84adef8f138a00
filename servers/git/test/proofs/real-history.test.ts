import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { addedWord, decoded, isPlain, ownHistory, RealHistory, repositoriesIn } from './real-history.ts';

const served = new Served();

/** `npm run histories -- --from DIR --count N` sets these; without them this checkout's own history is taken. */
const from = process.env.ROOTBOUND_HISTORIES;
const own = ownHistory();
const count = Number(process.env.ROOTBOUND_HISTORIES_COUNT ?? (from === undefined ? 40 : 1_000));
const folder = from ?? own;
const repositories = folder === undefined ? [] : repositoriesIn(folder);
const PATIENCE_MS = 60 * 60_000;
/** Bytes: nothing is cut. */
const maxOutput = 200 << 20;

const clientOf = ({ top, commonDir }: RealHistory): Promise<Client> =>
  served.client([{ path: top, readOnly: true }], { maxOutput, extra: { 'allow-common-dir': [commonDir] } });

interface Log {
  commits: { oid: string; parents: string[]; message: string }[];
  truncated: boolean;
  next_cursor?: string;
}

/** Returns the ids of all pages of a log. */
async function idsOf(client: Client, args: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ids.length <= count; ) {
    const { facts, failed, text } = await call<Log>(client, 'git_log', {
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    expect([failed, failed ? text : '']).toEqual([false, '']);
    ids.push(...facts.commits.map(({ oid }) => oid));
    cursor = facts.next_cursor;
    if (cursor === undefined) break;
  }
  return ids;
}

test('a folder that is named has repositories', () => {
  expect([from, repositories.length > 0]).toEqual([from, from !== undefined || repositories.length > 0]);
});

describe.each(repositories)('%s', (top) => {
  const history = new RealHistory(top, count);
  const { commits } = history;

  test(
    'the log has the commits of git, with their parents and subjects',
    async () => {
      const client = await clientOf(history);
      const { facts } = await call<Log>(client, 'git_log', { max_count: count });
      const lines = history.git('log', '-z', '--format=%H%x01%P%x01%s', `--max-count=${count}`).toString();
      const expected = lines
        .split('\0')
        .filter(Boolean)
        .map((line) => line.split('\x01'));
      expect(
        facts.commits.map(({ oid, parents, message }) => [
          oid,
          parents.join(' '),
          message.replaceAll(/\s*\n\s*/g, ' '),
        ]),
      ).toEqual(expected);
      // pages of another size give the same
      const paged = await idsOf(client, { max_count: 137, revision: 'HEAD' });
      expect(paged.slice(0, commits.length)).toEqual(commits);
    },
    PATIENCE_MS,
  );

  test(
    'the names and the patch of each commit are those of git',
    async () => {
      const client = await clientOf(history);
      for (const commit of commits) {
        const { facts } = await call<{
          files: { path: string; change: string; from?: string }[];
          patch: string;
        }>(client, 'git_show', { revision: commit });
        const names = history.namesOf(commit);
        const listed = facts.files.map(({ change, path, from: old }) => [change, path, old]);
        const plain = names.every(isPlain);
        if (plain)
          expect(listed, commit).toEqual(names.map(({ change, path, from: old }) => [change, path, old]));
        expect(listed.length, commit).toBe(names.length);
        expect(facts.patch === decoded(history.patchOf(commit)), `the patch of ${commit}`).toBe(true);
      }
    },
    PATIENCE_MS,
  );

  test(
    'a path of each commit is followed, blamed and searched for a word as by git',
    async () => {
      const client = await clientOf(history);
      let compared = 0;
      for (const commit of commits) {
        const revision = history.near(commit);
        const word = addedWord(decoded(history.patchOf(commit)));
        if (word !== undefined)
          expect(
            await idsOf(client, { revision, occurs: word, max_count: 1_000 }),
            `-S ${word} ${revision}`,
          ).toEqual(history.lines('log', '--format=%H', '-S', word, revision));
        const changed = history.namesOf(commit).find((one) => one.change !== 'deleted' && isPlain(one));
        // a submodule has no lines
        const isFile =
          changed !== undefined &&
          history.lines('ls-tree', commit, '--', changed.path)[0]?.startsWith('100') === true;
        if (!isFile) continue;
        const { path } = changed;
        expect(
          await idsOf(client, { revision, paths: [path], follow: true, max_count: 1_000 }),
          `--follow ${path} ${revision}`,
        ).toEqual(history.lines('log', '--follow', '--format=%H', revision, '--', path));
        expect(await linesOf(client, commit, path), `blame of ${path} at ${commit}`).toEqual(
          history.blameOf(commit, path),
        );
        compared += 1;
      }
      expect(compared).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});

interface Blame {
  runs: { start: number; count: number; commit: string; from_line: number }[];
}

/** Returns the commit of each line of a file, and its number there. */
async function linesOf(client: Client, revision: string, path: string): Promise<string[]> {
  const { facts } = await call<Blame>(client, 'git_blame', { path, revision });
  const runs = facts.runs.toSorted((a, b) => a.start - b.start);
  return runs.flatMap(({ count: length, commit, from_line }) =>
    Array.from({ length }, (_, at) => `${commit} ${from_line + at}`),
  );
}
