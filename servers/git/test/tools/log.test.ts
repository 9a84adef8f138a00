import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from '@rootbound/kit/budget';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test, vi } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { random } from '../porcelain/random.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { full, seeds } from '../seeds.ts';

const served = new Served();

interface Logged {
  commits: {
    oid: string;
    parents: string[];
    message: string;
    message_truncated?: boolean;
    files?: { path: string; change: string; from?: string }[];
    files_total?: number;
    graph?: string[];
  }[];
  truncated: boolean;
  next_cursor?: string;
}

function repository(): Scratch & { lines(...args: string[]): string[] } {
  const made = scratch();
  made.git(made.folder, 'init', '-q');
  const lines = (...args: string[]) =>
    made
      .git(made.folder, ...args)
      .toString()
      .split('\n')
      .filter(Boolean);
  return { ...made, lines };
}

function commit({ folder, git, write }: Scratch, message: string, path = 'a', content = message): void {
  write(path, `${content}\n`);
  git(folder, 'add', '--all');
  git(folder, 'commit', '-qm', message);
}

/** A history of several lines that join, by chance and the same each time. */
function merged(seed: number, commits: number): ReturnType<typeof repository> {
  const made = repository();
  const { folder, git } = made;
  const next = random(seed);
  commit(made, 'first');
  git(folder, 'branch', 'b1');
  git(folder, 'branch', 'b2');
  for (let count = 0; count < commits; count++) {
    const branch = ['main', 'b1', 'b2'][next(3)]!;
    git(folder, 'switch', '-q', branch);
    const other = ['main', 'b1', 'b2'][next(3)]!;
    if (next(4) === 0) git(folder, 'merge', '-q', '--no-ff', '-m', `merge ${count}`, other);
    else git(folder, 'commit', '-q', '--allow-empty', '-m', `commit ${count}`);
  }
  git(folder, 'switch', '-q', 'main');
  git(folder, 'merge', '-q', '--no-ff', '-m', 'last', 'b1', 'b2', { okay: [0, 1, 2] });
  return made;
}

async function log(client: Client, args: Record<string, unknown> = {}): Promise<Logged> {
  const { facts, text, failed } = await call<Logged>(client, 'git_log', args);
  expect([failed, failed ? text : '']).toEqual([false, '']);
  return facts;
}

const messages = ({ commits }: Logged) => commits.map(({ message }) => message);

/** All pages of a log, each within the limit. */
async function all(client: Client, args: Record<string, unknown>, maxOutput = 102_400) {
  const commits: Logged['commits'] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const given = { ...args, ...(cursor !== undefined && { cursor }) };
    const { facts, text, failed } = await call<Logged>(client, 'git_log', given);
    expect([failed, failed ? text : '']).toEqual([false, '']);
    expect(bytesOf({ structured: facts, text })).toBeLessThanOrEqual(maxOutput);
    expect(facts.truncated).toBe(facts.next_cursor !== undefined);
    commits.push(...facts.commits);
    cursor = facts.next_cursor;
    pages += 1;
  } while (cursor !== undefined);
  return { commits, pages };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('the log has the newest commits first, and says when there are more', async () => {
    const made = repository();
    for (const message of ['one', 'two\nlines\n\nbody', 'three']) commit(made, message);
    const oids = made.lines('rev-list', 'HEAD');
    const client = await served.client([made.folder], { revision });
    const { text, facts, failed } = await call<Logged>(client, 'git_log', { max_count: 2 });
    const [first, second] = text.split('\n');
    expect([failed, first, second]).toEqual([
      false,
      `${oids[0]!.slice(0, 12)} 2026-01-01 00:07 Ann Example: three`,
      `${oids[1]!.slice(0, 12)} 2026-01-01 00:05 Ann Example: two lines`,
    ]);
    expect(text).toMatch(/\n\[2 commits; more with cursor [\w-]+\]$/);
    if (!structuredRevisions.includes(revision)) return;
    expect(facts).toMatchObject({
      commits: [
        {
          oid: oids[0],
          parents: [oids[1]],
          author: 'Ann Example <ann@example.org>',
          date: '2026-01-01T00:07:00+00:00',
          message: 'three',
        },
        { oid: oids[1], message: 'two lines' },
      ],
      truncated: true,
    });
    expect(facts.commits[0]).not.toHaveProperty('committer');
  });
});

const chosen = seeds(4);

test.each(chosen)(
  'pages of any size have each commit once, in the order of git, in history %i',
  async (seed) => {
    const made = merged(seed, 25);
    const client = await served.client([made.folder]);
    const few = await served.client([made.folder], { maxOutput: 2000 });
    for (const [args, options] of [
      [{}, []],
      [{ all: true }, ['--all']],
      [{ first_parent: true }, ['--first-parent']],
      [{ merges: 'only' }, ['--merges']],
      [{ merges: 'none' }, ['--no-merges']],
      [{ revision: 'b1..b2' }, ['b1..b2']],
      [{ revision: 'b1...b2' }, ['b1...b2']],
      [{ revision: '..b1' }, ['HEAD..b1']],
      [{ graph: true }, ['--topo-order']],
    ] as const) {
      const oids = made.lines(
        'rev-list',
        ...(options.some((one) => /^-|^$/.test(one)) || options.length === 0 ? ['HEAD'] : []),
        ...options,
      );
      for (const max_count of full ? [3, 20, 100] : [20]) {
        const { commits } = await all(client, { ...args, max_count });
        expect(commits.map(({ oid }) => oid)).toEqual(oids);
      }
      const { commits } = await all(few, { ...args, max_count: 100 }, 2000);
      expect(commits.map(({ oid }) => oid)).toEqual(oids);
    }
  },
);

test.each(chosen)(
  'a short log that is read without git has what git itself says, in history %i',
  async (seed) => {
    const made = merged(seed, 25);
    const { folder, git } = made;
    const odd = ['  \n\n subject \n of two  \n \n body\n\n', 'tab\tand\r\nreturn\n', 'ünïcode ✓', ' \n'];
    for (const message of odd)
      git(folder, 'commit', '-q', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '-F', '-', {
        input: message,
      });
    git(
      folder,
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'by others',
      '--author=Bob <bob@example.org>',
      '--date=1700000000 -0330',
    );
    const client = await served.client([folder]);
    for (const body of [false, true]) {
      const walked = await log(client, { max_count: 20, body });
      // a filter that all commits pass takes the way through git
      const printed = await log(client, { max_count: 20, body, author: '.' });
      expect(walked.commits).toEqual(printed.commits);
    }
  },
);

test('each filter keeps the commits that git finds by it', async () => {
  const made = repository();
  commit(made, 'add (this)', 'a', 'needle');
  commit(made, 'Fix: that', 'b', 'hay');
  commit(made, 'unlike', 'a', 'hay again');
  const { folder, git } = made;
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'bob', '--author=Bob <bob@example.org>');
  const client = await served.client([folder]);
  const found = async (args: Record<string, unknown>) => messages(await log(client, args));
  expect(await found({ author: '^Bob' })).toEqual(['bob']);
  expect(await found({ author: 'ann|zoe', ignore_case: true })).toEqual([
    'unlike',
    'Fix: that',
    'add (this)',
  ]);
  expect(await found({ committer: 'Bob' })).toEqual([]);
  expect(await found({ grep: 'fix|this' })).toEqual(['add (this)']);
  expect(await found({ grep: '(this)', fixed: true })).toEqual(['add (this)']);
  expect(await found({ occurs: 'needle' })).toEqual(['unlike', 'add (this)']);
  expect(await found({ changed_lines: '^hay$' })).toEqual(['Fix: that']);
  expect(await found({ paths: ['b'] })).toEqual(['Fix: that']);
  expect(await found({ paths: ['a'], grep: 'add' })).toEqual(['add (this)']);
  expect(await found({ revision: 'HEAD~2' })).toEqual(['Fix: that', 'add (this)']);
});

test('dates limit a log, and a day is all of it', async () => {
  const { folder, git } = repository();
  for (const day of ['01', '02', '03']) {
    for (const time of ['00:00:00', '23:59:59']) {
      const date = `2026-02-${day}T${time}Z`;
      const environment = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      git(folder, 'commit', '-q', '--allow-empty', '-m', `${day} ${time}`, { environment });
    }
  }
  const client = await served.client([folder]);
  const ofDay = ['02 23:59:59', '02 00:00:00'];
  const oneDay = { start_timestamp: '2026-02-02', end_timestamp: '2026-02-02' };
  expect(messages(await log(client, oneDay))).toEqual(ofDay);
  const official = { start_timestamp: '2026-02-02T00:00:00Z', end_timestamp: '2026-02-02T23:59:59Z' };
  expect(messages(await log(client, official))).toEqual(ofDay);
  const limited = await log(client, { ...official, max_count: 1 });
  expect([messages(limited), limited.truncated]).toEqual([['02 23:59:59'], true]);
});

test('a file is followed through its names', async () => {
  const made = repository();
  const { folder, git } = made;
  commit(made, 'made', 'old name', 'a\nb\nc\nd');
  git(folder, 'mv', 'old name', 'new');
  git(folder, 'commit', '-qm', 'moved');
  commit(made, 'changed', 'new', 'a\nb\nc\ne');
  const client = await served.client([folder]);
  const { commits } = await log(client, { paths: ['new'], follow: true, files: true });
  expect(commits.map(({ message, files }) => [message, files])).toEqual([
    ['changed', [{ path: 'new', change: 'modified' }]],
    ['moved', [{ path: 'new', change: 'renamed', from: 'old name' }]],
    ['made', [{ path: 'old name', change: 'added' }]],
  ]);
  const { commits: paged } = await all(client, { paths: ['new'], follow: true, max_count: 1 });
  expect(paged.map(({ message }) => message)).toEqual(['changed', 'moved', 'made']);
});

test('the graph has the rows of git', async () => {
  const made = merged(3, 12);
  const client = await served.client([made.folder]);
  const { commits } = await all(client, { graph: true, max_count: 4 });
  const rows = made.git(made.folder, 'log', '--graph', '--format=%x00').toString().split('\n').slice(0, -1);
  expect(commits.flatMap(({ graph }) => graph!)).toEqual(rows.map((row) => row.replace('\0', '').trimEnd()));
  const { text } = await call(client, 'git_log', { graph: true, max_count: 1 });
  expect(text.split('\n')[0]).toMatch(/^\*\S* [0-9a-f]{12} /);
});

test('a log goes on from where its page ended when there are new commits', async () => {
  const made = repository();
  for (const message of ['one', 'two', 'three']) commit(made, message);
  const client = await served.client([made.folder]);
  const first = await log(client, { max_count: 1 });
  commit(made, 'four');
  const rest = await log(client, { max_count: 5, cursor: first.next_cursor });
  expect([messages(first), messages(rest), rest.truncated]).toEqual([['three'], ['two', 'one'], false]);
});

test('a log of very many refs is not continued when they have moved', async () => {
  const made = repository();
  for (let branch = 0; branch < 12; branch++) {
    made.git(made.folder, 'switch', '-q', '--orphan', `b${branch}`);
    made.git(made.folder, 'commit', '-q', '--allow-empty', '-m', `on ${branch}`);
  }
  const client = await served.client([made.folder]);
  const first = await log(client, { all: true, max_count: 5 });
  const args = { all: true, max_count: 20, cursor: first.next_cursor };
  expect((await log(client, args)).commits.length).toBe(7);
  made.git(made.folder, 'commit', '-q', '--allow-empty', '-m', 'more');
  expect(await call(client, 'git_log', args)).toMatchObject({ failed: true, code: 'stale-cursor' });
});

test('a log of more refs than a command line holds takes paths, also odd ones', async () => {
  const { folder, git } = repository();
  const data = (text: string) => `data ${text.length}\n${text}\n`;
  const branches = Array.from({ length: 450 }, (_, index) => {
    const head = `commit refs/heads/b${index}\ncommitter A <a@b> ${1_767_225_600 + index} +0000\n${data(`on ${index}`)}`;
    return `${head}M 100644 inline ${index < 3 ? 'caf\xe9' : index < 6 ? '"two\\nlines"' : 'a'}\n${data('x')}`;
  });
  git(folder, 'fast-import', '--quiet', { input: Buffer.from(branches.join('\n'), 'latin1') });
  const client = await served.client([folder]);
  const found = async (paths: string[]) => messages(await log(client, { all: true, paths, max_count: 5 }));
  expect(await found(['"caf\\351"'])).toEqual(['on 2', 'on 1', 'on 0']);
  expect(await found(['"two\\nlines"'])).toEqual(['on 5', 'on 4', 'on 3']);
  const many = Array.from({ length: 2000 }, (_, index) => `no such ${index}`);
  expect(await found([...many, 'a'])).toEqual(['on 449', 'on 448', 'on 447', 'on 446', 'on 445']);
});

test('a relative date is the same moment on every page', async () => {
  const made = repository();
  const { folder, git } = made;
  const start = 1_800_000_000;
  for (const minute of [0, 1, 2, 3, 4]) {
    const date = {
      GIT_AUTHOR_DATE: `${start + minute * 60} +0000`,
      GIT_COMMITTER_DATE: `${start + minute * 60} +0000`,
    };
    git(folder, 'commit', '-q', '--allow-empty', '-m', `${minute}`, { environment: date });
  }
  const bin = scratch();
  const real = bin.git(bin.folder, '--exec-path').toString().trim();
  bin.write(
    'git',
    `#!/bin/sh\nGIT_TEST_DATE_NOW=$(cat "${bin.folder}/now") exec "${real}/git" "$@"\n`,
    0o755,
  );
  const at = (minute: number) => bin.write('now', String(start + minute * 60 + 30));
  vi.stubEnv('PATH', `${bin.folder}:${process.env.PATH}`);
  const client = await served.client([folder]);
  const asked = { start_timestamp: '4 minutes ago', end_timestamp: '1 minute ago' };
  at(4);
  const first = await log(client, { ...asked, max_count: 1 });
  at(60);
  const rest = await log(client, { ...asked, max_count: 9, cursor: first.next_cursor });
  expect([...messages(first), ...messages(rest)]).toEqual(['3', '2', '1']);
  vi.unstubAllEnvs();
});

test('a hundred commits take less than 64 KB in either half', async () => {
  const made = repository();
  const { folder, git } = made;
  for (let count = 0; count < 100; count++) {
    const message = `package: say in the subject of commit ${count} what it does and why (#${count})\n\nBody.`;
    git(folder, 'commit', '-q', '--allow-empty', '-m', message, '--author=Bob Example <bob@example.org>');
  }
  const client = await served.client([folder]);
  const { facts, text } = await call<Logged>(client, 'git_log', { max_count: 100 });
  expect([facts.commits.length, bytesOf({ structured: facts, text }) < 64 << 10]).toEqual([100, true]);
});

test('what is too long in one commit is cut, and said to be', async () => {
  const made = repository();
  for (let file = 0; file < 200; file++) made.write(`folder/file-${file}`, 'x');
  made.git(made.folder, 'add', '--all');
  made.git(made.folder, 'commit', '-qm', `${'long '.repeat(2000)}`);
  const client = await served.client([made.folder], { maxOutput: 4096 });
  const { commits } = await all(client, { files: true }, 4096);
  expect(commits).toMatchObject([{ message_truncated: true, files_total: 200 }]);
});

test('a repository without a commit has an empty log, one that is bare or detached its own', async () => {
  const unborn = repository();
  const none = await call<Logged>(await served.client([unborn.folder]), 'git_log');
  expect([none.failed, none.text, none.facts.commits]).toEqual([false, '[no commits]', []]);
  const made = repository();
  commit(made, 'one');
  commit(made, 'two');
  made.git(made.folder, 'switch', '-q', '--detach', 'HEAD~');
  expect(messages(await log(await served.client([made.folder])))).toEqual(['one']);
  const bare = scratch();
  bare.git(bare.folder, 'clone', '-q', '--bare', made.folder, 'bare');
  expect(messages(await log(await served.client([`${bare.folder}/bare`]), { revision: 'main' }))).toEqual([
    'two',
    'one',
  ]);
});

test('names of files that are no UTF-8 are told so that they find the file again', async () => {
  const made = repository();
  const { folder, git } = made;
  const input = '100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\tcaf\\351';
  git(folder, 'hash-object', '-w', '--stdin', { input: '' });
  git(folder, 'update-index', '--add', '--index-info', {
    input: Buffer.from(input.replace('\\351', '\xe9'), 'latin1'),
  });
  git(folder, 'commit', '-qm', 'odd');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'other');
  const client = await served.client([folder]);
  const { commits } = await log(client, { files: true, grep: 'odd' });
  expect(commits[0]!.files).toEqual([{ path: '"caf\\351"', change: 'added' }]);
  expect(messages(await log(client, { paths: ['"caf\\351"'] }))).toEqual(['odd']);
});

test.each([
  [{ revision: '--output=stolen' }, 'invalid-revision'],
  [{ revision: 'HEAD..--all' }, 'invalid-revision'],
  [{ revision: 'no-such' }, 'unknown-revision'],
  [{ revision: 'HEAD:a' }, 'unknown-revision'],
  [{ start_timestamp: 'whenever' }, 'invalid-arguments'],
  [{ follow: true }, 'invalid-arguments'],
  [{ follow: true, paths: ['a', 'b'] }, 'invalid-arguments'],
  [{ follow: true, paths: ['a'], graph: true }, 'invalid-arguments'],
  [{ author: 'a\nb' }, 'invalid-argument'],
  [{ cursor: 'abc' }, 'invalid-cursor'],
])('%j is refused', async (args, code) => {
  const made = repository();
  commit(made, 'one');
  const client = await served.client([made.folder]);
  expect(await call(client, 'git_log', args)).toMatchObject({ failed: true, code });
});

test('a short log starts no process of its own, and one with a filter starts one', async () => {
  const made = repository();
  for (let count = 0; count < 30; count++)
    made.git(made.folder, 'commit', '-q', '--allow-empty', '-m', `${count}`);
  const bin = scratch();
  const real = bin.git(bin.folder, '--exec-path').toString().trim();
  bin.write(
    'git',
    `#!/bin/sh\nprintf '%s\\n' "$*" >> "${bin.folder}/asked"\nexec "${real}/git" "$@"\n`,
    0o755,
  );
  vi.stubEnv('PATH', `${bin.folder}:${process.env.PATH}`);
  const client = await served.client([made.folder]);
  const logs = () => readFileSync(join(bin.folder, 'asked'), 'utf8').match(/^log /gm)?.length ?? 0;
  const first = await log(client);
  const second = await log(client, { cursor: first.next_cursor });
  await log(client, { max_count: 20, body: true });
  expect([messages(second)[0], logs()]).toEqual(['19', 0]);
  await log(client, { grep: '1' });
  expect(logs()).toBe(1);
  vi.unstubAllEnvs();
});

test('texts to search for that look like options are searched for', async () => {
  const made = repository();
  commit(made, '--output=stolen', 'a', '--no-index');
  const client = await served.client([made.folder]);
  for (const args of [{ grep: '--output=stolen' }, { occurs: '--no-index' }, { changed_lines: '--no-index' }])
    expect(messages(await log(client, args))).toEqual(['--output=stolen']);
});
