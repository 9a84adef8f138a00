import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { copyOf, diverging, kinds } from './diverging.ts';

interface Facts {
  resolved: string[];
  total_conflicts: number;
  conflicts: { path: string }[];
  next: string[];
  undo?: string;
}

const served = new Served();
const made = scratch();
const { folder, git } = made;

const many = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const mixed = diverging(made, 'mixed', {
  base: { ...kinds['both renamed']!.base, t: many, gone: 'one\ntwo\n', l: ['120000', 'one'] },
  main: {
    ...kinds['both renamed']!.main,
    t: many.replace('two', 'm2').replace('nine', 'm9'),
    l: ['120000', 'm'],
  },
  side: {
    ...kinds['both renamed']!.side,
    t: many.replace('two', 's2').replace('nine', 's9'),
    gone: 'one\nside\n',
    l: ['120000', 's'],
  },
});
git(mixed, 'merge', '-q', 'side', { okay: [1] });
let copies = 0;
const copy = () => copyOf(mixed, `${++copies}`);
const staged = (path: string, name: string) => git(path, 'show', `:${name}`).toString();
const open = (path: string) => git(path, 'ls-files', '-u', '-z').toString();

describe.each(allRevisions)('git_resolve at %s', (revision) => {
  test('decides about each conflict in a file and stages it', async () => {
    const path = copy();
    const client = await served.client([path], { revision });
    const { failed, text } = await call(client, 'git_resolve', {
      paths: ['t'],
      decisions: ['theirs', { text: 'new\n' }],
    });
    expect([failed, text.split('\n')[0]]).toEqual([false, 'resolved t']);
    expect(staged(path, 't')).toBe('one\ns2\nthree\nfour\nfive\nsix\nseven\neight\nnew\nten\n');
    expect(git(path, 'diff', '--name-only', '--', 't').toString()).toBe('');
  });
});

test('some decisions are written and not staged, and the rest is still in conflict', async () => {
  const path = copy();
  const client = await served.client([path]);
  const { facts } = await call<Facts>(client, 'git_resolve', { paths: ['t'], decisions: ['both', 'leave'] });
  expect([facts.resolved, facts.conflicts.map((one) => one.path)]).toEqual([
    [],
    ['a', 'b', 'c', 'gone', 'l', 't'],
  ]);
  expect(readFileSync(join(path, 't'), 'utf8')).toMatch(
    /^one\nm2\ns2\nthree\nfour\nfive\nsix\nseven\neight\n<{7}/,
  );
});

test('whole versions settle renames, deletions and links, and reopening brings every conflict back', async () => {
  const path = copy();
  const before = open(path);
  const client = await served.client([path]);
  const resolve = (args: Record<string, unknown>) => call<Facts>(client, 'git_resolve', args);
  await resolve({ paths: ['a', 'b', 'c'], side: 'theirs' });
  await resolve({ paths: ['gone'], delete: true });
  await resolve({ paths: ['l'], side: 'theirs' });
  const last = await resolve({ paths: ['t'], side: 'base' });
  expect(last.facts).toMatchObject({ total_conflicts: 0, next: ['git_continue with action continue'] });
  expect(['a', 'b', 'c', 'gone'].map((name) => existsSync(join(path, name)))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect([lstatSync(join(path, 'l')).isSymbolicLink(), readFileSync(join(path, 't'), 'utf8')]).toEqual([
    true,
    many,
  ]);
  expect(last.facts.undo).toBe('git_resolve with reopen and paths ["t"]');
  const reopened = await resolve({ paths: ['a', 'b', 'c', 'gone', 'l', 't'], reopen: true });
  expect([reopened.text, open(path)]).toEqual([reopened.text, before]);
  expect(readFileSync(join(path, 't'), 'utf8')).toContain('<<<<<<<');
});

test('a decision about another conflict than there is changes nothing', async () => {
  const path = copy();
  const before = [readFileSync(join(path, 't')), open(path)];
  const client = await served.client([path]);
  const codeOf = async (args: object) => (await call(client, 'git_resolve', { paths: ['t'], ...args })).code;
  expect(await codeOf({ side: 'ours', expected: ['0'.repeat(40)] })).toBe('changed');
  expect(await codeOf({ decisions: ['ours'] })).toBe('invalid-choice');
  expect(await codeOf({ content: 'one\n<<<<<<< HEAD\n=======\n>>>>>>> side\n' })).toBe('markers-left');
  expect(await codeOf({ side: 'ours', content: 'x' })).toBe('invalid-choice');
  expect(await codeOf({ paths: ['other'], side: 'ours' })).toBe('not-in-conflict');
  expect(await codeOf({ paths: ['l'], content: 'x' })).toBe('invalid-choice');
  expect([readFileSync(join(path, 't')), open(path)]).toEqual(before);
});

test('the expected versions are those that git_conflicts told', async () => {
  const path = copy();
  const client = await served.client([path]);
  const reported = await call<{ conflicts: Record<'base' | 'ours' | 'theirs', { oid: string }>[] }>(
    client,
    'git_conflicts',
    {
      paths: ['t'],
    },
  );
  const [{ base, ours, theirs }] = reported.facts.conflicts as [(typeof reported.facts.conflicts)[number]];
  const expected = [base, ours, theirs].map(({ oid }) => oid);
  const { facts } = await call<Facts>(client, 'git_resolve', { paths: ['t'], content: 'mine\n', expected });
  expect([facts.resolved, staged(path, 't')]).toEqual([['t'], 'mine\n']);
});

test('a file behind a link is not written', async () => {
  const path = copy();
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'outside\n');
  rmSync(join(path, 't'));
  symlinkSync('other', join(path, 't'));
  const client = await served.client([path]);
  const { code } = await call(client, 'git_resolve', { paths: ['t'], content: 'mine\n' });
  expect([code, readFileSync(join(path, 'other'), 'utf8')]).toEqual(['unsupported', 'as it is\n']);
  rmSync(join(path, 't'));
  symlinkSync(outside, join(path, 't'));
  expect((await call(client, 'git_resolve', { paths: ['t'], content: 'mine\n' })).failed).toBe(true);
  expect(readFileSync(outside, 'utf8')).toBe('outside\n');
});

test('names of any bytes and binary files are settled by a side', async () => {
  const { main, side, base } = kinds['names that are no UTF-8']!;
  const bytes = kinds.binary!;
  const path = diverging(made, 'bytes', {
    base: { ...base, ...bytes.base, '-x :(top)': 'one\n' },
    main: { ...main, ...bytes.main, '-x :(top)': 'main\n' },
    side: { ...side, ...bytes.side, '-x :(top)': 'side\n' },
  });
  git(path, 'merge', '-q', 'side', { okay: [1] });
  const client = await served.client([path]);
  const paths = ['"caf\\351"', 'a', '-x :(top)'];
  const { facts, text } = await call<Facts>(client, 'git_resolve', { paths, side: 'theirs' });
  expect([text, facts.total_conflicts]).toEqual([text, 0]);
  expect(git(path, 'diff', '--cached', '--name-only', 'side').toString()).toBe('');
  expect(git(path, 'diff', '--name-only').toString()).toBe('');
});

test('a path whose filter does not run is not settled by content', async () => {
  const path = copy();
  git(path, 'config', 'filter.big.clean', 'cat');
  writeFileSync(join(path, '.git/info/attributes'), 't filter=big\n');
  const client = await served.client([path]);
  expect((await call(client, 'git_resolve', { paths: ['t'], content: 'x' })).code).toBe('filter-suppressed');
});
