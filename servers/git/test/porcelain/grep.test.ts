import { expect, test } from 'vitest';
import {
  grepCommand,
  grepFilesCommand,
  grepStatuses,
  parseGrep,
  parseGrepFiles,
} from '../../src/porcelain/grep.ts';
import type { GrepQuery } from '../../src/porcelain/grep-query.ts';
import { nameOfByteString } from '../../src/porcelain/names.ts';
import { toOid } from '../../src/run/oid.ts';
import { scratch } from '../scratch.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

const chosen = seeds(20);

async function found(folder: string, query: GrepQuery, context = 0) {
  return parseGrep(await printed(folder, grepCommand(query, { context }), grepStatuses), query);
}

/** The lines of all text files of a tree that hold a word, found by hand. */
function byHand(states: States, tree: string, matches: (line: string) => boolean): string[] {
  const names = states.git('ls-tree', '-r', '-z', tree).toString('latin1').split('\0').slice(0, -1);
  return names.flatMap((record) => {
    const [, mode, oid, name] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(record)!;
    const text = states.git('cat-file', 'blob', oid!).toString('latin1');
    if (mode === '120000' || text.includes('\0')) return [];
    const lines = text.split('\n').map((line, index) => [line, index + 1] as const);
    return lines
      .filter(([line]) => matches(line))
      .map(([, number]) => `${nameOfByteString(name!)} ${number}`);
  });
}

test.each(chosen)(
  'the lines that match are found in trees, index and work tree, in state %i',
  async (seed) => {
    const states = new States(seed);
    states.change(14);
    const commit = toOid(states.commit());
    const expected = byHand(states, commit, (line) => /b.t/.test(line));
    for (const where of [commit, 'index', 'worktree'] as const) {
      const query: GrepQuery = { patterns: ['b.t'], in: where };
      const lines = await found(states.folder, query);
      expect(lines.map(({ path, line }) => `${path} ${line}`)).toEqual(expected);
      expect(lines.every(({ text, column }) => text.slice(column! - 1).startsWith('beta'))).toBe(true);
      const around = await found(states.folder, query, 2);
      const matching = around.filter(({ column }) => column !== undefined);
      expect(matching).toEqual(lines);
      for (const { path, line, column } of around) {
        const near = lines.some((match) => match.path === path && Math.abs(match.line - line) <= 2);
        expect([near, column === undefined]).toEqual([
          true,
          !lines.some((match) => match.path === path && match.line === line),
        ]);
      }
      const files = parseGrepFiles(
        await printed(states.folder, grepFilesCommand(query), grepStatuses),
        query,
      );
      // beside these, binary files may match
      const paths = new Set(lines.map(({ path }) => path));
      expect(files.filter((path) => paths.has(path))).toEqual([...paths]);
    }
  },
);

function repository(files: Record<string, string | Buffer>) {
  const made = scratch();
  made.git(made.folder, 'init');
  for (const [path, content] of Object.entries(files)) made.write(path, content);
  made.git(made.folder, 'add', '--all');
  return made;
}

test('names that look like separators take nothing from other files', async () => {
  const { folder } = repository({ '--\na': 'one\ntwo\nthree\n', 'b:1:two': 'x\ntwo\n', 'c\n--': 'two\n' });
  const lines = await found(folder, { patterns: ['two'], in: 'worktree' }, 1);
  expect(lines.map(({ path, line, text }) => `${path} ${line} ${text}`)).toEqual([
    '"--\\na" 1 one',
    '"--\\na" 2 two',
    '"--\\na" 3 three',
    'b:1:two 1 x',
    'b:1:two 2 two',
    '"c\\n--" 1 two',
  ]);
});

test('binary files are named as files, and have lines only where they are taken as text', async () => {
  const { folder } = repository({ binary: 'find\0me\n', text: 'find me\n' });
  const query: GrepQuery = { patterns: ['find'], in: 'index' };
  expect((await found(folder, query)).map(({ path }) => path)).toEqual(['text']);
  expect((await found(folder, { ...query, binaryAsText: true })).map(({ path }) => path)).toEqual([
    'binary',
    'text',
  ]);
  expect(parseGrepFiles(await printed(folder, grepFilesCommand(query), grepStatuses), query)).toEqual([
    'binary',
    'text',
  ]);
});

test('untracked files are searched when asked for, and several patterns are one or the other', async () => {
  const { folder, write } = repository({ '.gitignore': 'ignored\n', tracked: 'alpha\nbeta\n' });
  write('new', 'Beta\n');
  write('ignored', 'beta\n');
  const query: GrepQuery = { patterns: ['alpha', 'beta'], form: 'fixed', ignoreCase: true, in: 'untracked' };
  expect((await found(folder, query)).map(({ path, line }) => `${path} ${line}`)).toEqual([
    'new 1',
    'tracked 1',
    'tracked 2',
  ]);
  expect(await found(folder, { patterns: ['nowhere'], in: 'worktree' })).toEqual([]);
});
