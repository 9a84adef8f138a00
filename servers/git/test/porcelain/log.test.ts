import { expect, test } from 'vitest';
import { graphCommand, parseGraphPage } from '../../src/porcelain/graph.ts';
import {
  commitsCommand,
  type LogFacts,
  logCommand,
  type Person,
  parseLog,
  parseLogPage,
  parseTips,
  tipsCommand,
} from '../../src/porcelain/log.ts';
import type { LogCursor, LogPage } from '../../src/porcelain/log-page.ts';
import type { LogQuery } from '../../src/porcelain/log-query.ts';
import { nameOfByteString } from '../../src/porcelain/names.ts';
import { type Oid, toOid } from '../../src/run/oid.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

const messages = [
  'plain',
  'first line\nsecond line\n\nbody\n',
  'looks like a record\n\n:100644 100644 0000000 0000000 M\n',
  'caf\xe9 in no encoding that it names',
  'gr\xc3\xbc\xc3\x9f',
  '\x01\x1f\x1e separators \u00f2',
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\n4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '%H %x00 %B',
  'literal \\n \\0',
];

const oidOf = (states: States, name: string): Oid => toOid(states.git('rev-parse', name).toString().trim());

/** Branches and merges with all kinds of messages, written in one go. */
function history(seed: number, commits = 25): States {
  const states = new States(seed);
  const stream: Buffer[] = [];
  const add = (text: string) => stream.push(Buffer.from(text, 'latin1'));
  const data = (text: string) => add(`data ${text.length}\n${text}\n`);
  for (let mark = 1; mark <= commits; mark++) {
    add(`commit refs/heads/${mark === commits ? 'main' : `branch-${states.next(4)}`}\nmark :${mark}\n`);
    const author = states.pick(['Ann', 'Bob', 'J\xc3\xbcrgen', 'caf\xe9']);
    add(`author ${author} <${author}@example.org> ${START + states.next(90) * 60} +0130\n`);
    add(`committer ${states.pick(['Ann', 'Cleo'])} <c@example.org> ${START + mark * 120} -0800\n`);
    data(states.pick(messages));
    if (mark > 1) add(`from :${Math.max(1, mark - 1 - states.next(4))}\n`);
    if (mark > 5 && states.next(3) === 0) add(`merge :${mark - 5}\n`);
    for (const path of ['plain.txt', 'folder/file', '"caf\\351"', 'sp ace']) {
      if (states.next(3) > 0) continue;
      add(`M 100644 inline ${path}\n`);
      data(states.lines(6).join('\n'));
    }
    if (mark > 1 && states.next(6) === 0) add(`D ${states.pick(['plain.txt', 'sp ace'])}\n`);
    add('\n');
  }
  states.git('fast-import', '--force', '--quiet', { input: Buffer.concat(stream) });
  return states;
}

/** 2026-01-01T00:00:00Z */
const START = 1_767_225_600;

async function pageOf(states: States, query: LogQuery, page: LogPage, facts?: LogFacts) {
  return parseLogPage(await printed(states.folder, logCommand(query, page, facts)), query, page);
}

/** All pages one after the other, with new commits between them. */
async function allPages(states: States, query: LogQuery, limit: number): Promise<string[]> {
  const oids: string[] = [];
  for (let after: LogCursor | undefined; ; ) {
    const { items, next } = await pageOf(states, query, { limit, after });
    oids.push(...items.map((commit) => commit.oid));
    if (next === undefined) return oids;
    after = next;
    states.git('commit', '--allow-empty', '-m', 'meanwhile');
  }
}

const chosen = seeds(20);

test.each(chosen)(
  'a log has the facts of each commit as git prints them alone, in state %i',
  async (seed) => {
    const states = history(seed, 12);
    const query: LogQuery = { from: [oidOf(states, 'HEAD')] };
    const { items } = await pageOf(states, query, { limit: 100 }, { wholeMessage: true, files: true });
    const oids = states.git('log', '--format=%H').toString().trim().split('\n');
    expect(items.map(({ oid }) => oid)).toEqual(oids);
    for (const commit of items) {
      const object = states.git('cat-file', 'commit', commit.oid).toString('latin1');
      const end = object.indexOf('\n\n');
      const text = (bytes: string) => {
        const utf8 = Buffer.from(bytes, 'latin1').toString();
        return utf8.includes('\ufffd') ? bytes : utf8;
      };
      expect(commit.message).toBe(text(object.slice(end + 2)));
      const { author, committer, parents, tree } = commit;
      const person = ({ name, email, time, zone }: Person) => `${name} <${email}> ${time} ${zone}`;
      const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
      lines.push(`author ${person(author)}`, `committer ${person(committer)}`);
      expect(lines).toEqual(object.slice(0, end).split('\n').map(text));
      if (parents.length > 1) continue;
      const names = states.git(
        'diff-tree',
        '-r',
        '-z',
        '--root',
        '--name-only',
        '--no-commit-id',
        commit.oid,
      );
      const expected = names.toString('latin1').split('\0').filter(Boolean).map(nameOfByteString);
      const reported = commit.files.flatMap(({ path, from }) =>
        from === undefined ? [path] : [path, from.path],
      );
      expect(reported.toSorted()).toEqual(expected.toSorted());
    }
  },
);

test.each(chosen)(
  'every filter chooses the commits that git chooses, on pages and as a whole, in state %i',
  async (seed) => {
    const states = history(seed);
    const [head, first] = [oidOf(states, 'HEAD'), oidOf(states, 'HEAD~1')];
    const from = [head];
    const filters: [LogQuery, string[]][] = [
      [{ from }, []],
      [{ from, author: 'Bob' }, ['--author=Bob']],
      [{ from, author: 'BOB', ignoreCase: true }, ['--author=BOB', '-i']],
      [{ from, committer: 'Ann' }, ['--committer=Ann']],
      [{ from, message: 'line', patterns: 'fixed' }, ['--grep=line', '-F']],
      [{ from, message: '(first|plain)', patterns: 'extended' }, ['--grep=(first|plain)', '-E']],
      [{ from, since: '2026-01-01T00:30:00Z' }, ['--since=2026-01-01T00:30:00Z']],
      [{ from, until: '2026-01-01T00:30:00Z' }, ['--until=2026-01-01T00:30:00Z']],
      [{ from, paths: ['folder', 'plain.txt'] }, ['--', 'folder', 'plain.txt']],
      [{ from, occurs: 'alpha' }, ['-Salpha']],
      [{ from, lines: 'b.t' }, ['-Gb.t']],
      [{ from, firstParent: true }, ['--first-parent']],
      [{ from, merges: 'only' }, ['--merges']],
      [{ from, merges: 'none' }, ['--no-merges']],
      [{ from, not: [first] }, [`^${first}`]],
      [{ from, follow: 'plain.txt' }, ['--follow', '--', 'plain.txt']],
      [{ from, order: 'topology' }, ['--topo-order']],
      [{ from: parseTips(await printed(states.folder, tipsCommand())) }, ['--all']],
    ];
    const chosen = ([query, args]: (typeof filters)[number]) => {
      const git = states.git('log', '--format=%H', head, ...args).toString();
      return [query, args, git.split('\n').filter(Boolean)] as const;
    };
    for (const [index, [query, args, git]] of filters.map(chosen).entries()) {
      const all = await pageOf(states, query, { limit: 1000 });
      expect([args, all.items.map(({ oid }) => oid)]).toEqual([args, git]);
      expect([args, all.next]).toEqual([args, undefined]);
      // page by page each time a third of them
      if (index % 3 !== seed % 3) continue;
      expect([args, await allPages(states, query, 4)]).toEqual([args, git]);
    }
  },
);

test.each(chosen)('the pages of a graph are together the graph that git draws, in state %i', async (seed) => {
  const states = history(seed);
  const query: LogQuery = { from: parseTips(await printed(states.folder, tipsCommand())) };
  const drawn: string[] = [];
  for (let after: LogCursor | undefined; ; ) {
    const page: LogPage = { limit: 6, after };
    const { items, next } = parseGraphPage(await printed(states.folder, graphCommand(query, page)), page);
    for (const { row, oid, below } of items) drawn.push(`${row} ${oid}`, ...below);
    const facts = parseLog(await printed(states.folder, commitsCommand(items.map(({ oid }) => oid))));
    expect(facts.map(({ oid }) => oid)).toEqual(items.map(({ oid }) => oid));
    if (next === undefined) break;
    after = next;
  }
  const git = states
    .git('log', '--graph', '--format=%H', ...query.from)
    .toString()
    .trimEnd()
    .split('\n');
  expect(drawn).toEqual(git.map((line) => line.replace(/^(.*?) +([0-9a-f]{40})$/, '$1 $2').trimEnd()));
});

test('a commit in another encoding is told in UTF-8, and names its encoding', async () => {
  const states = new States(1);
  const config = { GIT_AUTHOR_NAME: 'unused' };
  states.git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--allow-empty', '-F', '-', {
    input: Buffer.from('caf\xe9', 'latin1'),
    environment: config,
  });
  const query: LogQuery = { from: [oidOf(states, 'HEAD')] };
  const { items } = await pageOf(states, query, { limit: 1 });
  expect(items).toMatchObject([{ message: 'café', encoding: 'ISO-8859-1' }]);
});

test('a page of a log that is another one cannot be continued', async () => {
  const states = history(3);
  const query: LogQuery = { from: [oidOf(states, 'HEAD')] };
  const { next } = await pageOf(states, query, { limit: 3 });
  const other: LogQuery = { from: [oidOf(states, 'HEAD~1')] };
  await expect(pageOf(states, other, { limit: 3, after: next })).rejects.toMatchObject({
    code: 'stale-cursor',
  });
});

test('more tips than a command line may hold are all taken', async () => {
  const states = new States(2);
  const count = 420;
  const tips = Array.from({ length: count }, (_, time) => {
    const person = `A <a> ${START + time} +0000`;
    return `commit refs/heads/tip-${time}\nmark :${time + 1}\nauthor ${person}\ncommitter ${person}\ndata 3\ntip\nget-mark :${time + 1}\n`;
  });
  const marks = states
    .git('fast-import', '--quiet', { input: tips.join('') })
    .toString()
    .trim()
    .split('\n');
  const query: LogQuery = { from: marks.map((mark) => toOid(mark)), paths: [] };
  expect((await pageOf(states, query, { limit: 1000 })).items.length).toBe(count);
});
