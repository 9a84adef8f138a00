import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { copyOf, diverging, type Files } from './diverging.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;

interface Merged {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

let count = 0;
/** A merge of the two branches that stopped: `paths` are in conflict. */
function stopped(files: Readonly<Record<string, Merged>>, attributes = '', ...config: string[]) {
  const side = (name: keyof Merged): Files => ({
    ...(attributes === '' ? {} : { '.gitattributes': attributes }),
    ...Object.fromEntries(Object.entries(files).map(([path, all]) => [path, all[name]])),
  });
  const sides = { base: side('base'), main: side('ours'), side: side('theirs') };
  const path = diverging(made, `merge-${++count}`, sides);
  for (const setting of config) git(path, 'config', ...setting.split('='));
  git(path, 'reset', '-q', '--hard');
  git(path, 'merge', '-q', 'side', { okay: [0, 1] });
  const unmerged = git(path, 'ls-files', '--unmerged', '-z').toString().split('\0').filter(Boolean);
  return { path, paths: [...new Set(unmerged.map((entry) => entry.split('\t')[1]!))] };
}

const held = (path: string, name: string) => readFileSync(join(path, name), 'utf8');
const staged = (path: string, name: string) => git(path, 'show', `:${name}`).toString();

const port = { base: 'port = 1\nhost = x\n', ours: 'port = 2\nhost = x\n', theirs: 'port = 3\nhost = x\n' };
const last = { base: 'a\nb\n', ours: 'a\nours\n', theirs: 'a\ntheirs\n' };
const bare = { base: 'a\nb', ours: 'a\nours', theirs: 'a\ntheirs' };
const windows = { base: 'a\r\nb\r\nc\r\n', ours: 'a\r\no\r\nc\r\n', theirs: 'a\r\nt\r\nc\r\n' };

test.each([
  ['a line in the middle of a file', port, 'port = 23', 'port = 23\nhost = x\n'],
  ['the last line of a file', last, 'mine', 'a\nmine\n'],
  ['the last line where no side ends it', bare, 'mine', 'a\nmine'],
  ['the last line where only one side ends it', { ...bare, ours: 'a\nours\n' }, 'mine', 'a\nmine\n'],
  ['a side that has no newline at its end, as it is shown', bare, 'ours\n', 'a\nours'],
  ['no text', port, '', 'host = x\n'],
  ['an empty line', port, '\n', '\nhost = x\n'],
  ['lines of a file with carriage returns', windows, 'x\ny', 'a\r\nx\r\ny\r\nc\r\n'],
  ['a line that ends with the carriage return alone', windows, 'x\r', 'a\r\nx\r\nc\r\n'],
  [
    'a line of a file with both ends',
    { base: 'a\r\nb\nc\n', ours: 'a\r\no\nc\n', theirs: 'a\r\nt\nc\n' },
    'x',
    'a\r\nx\r\nc\n',
  ],
])('a text is whole lines: %s', async (_, merged, text, expected) => {
  const { path } = stopped({ f: merged });
  const client = await served.client([path]);
  const { failed } = await call(client, 'git_resolve', { paths: ['f'], decisions: [{ text }] });
  expect([failed, held(path, 'f'), staged(path, 'f')]).toEqual([false, expected, expected]);
});

test('adjacent conflicts and the first line are decided one by one, in several calls or in one', async () => {
  const merged = { base: '1\n2\n3\n4\n', ours: 'o1\n2\no3\n4\n', theirs: 't1\n2\nt3\n4\n' };
  const file = '<<<<<<< HEAD\no1\n=======\nt1\n>>>>>>> side\n<<<<<<< HEAD\no2\n=======\nt2\n>>>>>>> side\n';
  const { path } = stopped({ f: merged, g: merged });
  for (const name of ['f', 'g']) writeFileSync(join(path, name), file);
  const client = await served.client([path]);
  const decide = (name: string, ...decisions: unknown[]) =>
    call(client, 'git_resolve', { paths: [name], decisions });
  await decide('f', { text: 'one' }, { text: 'two' });
  await decide('g', { text: 'one' }, 'leave');
  await decide('g', { text: 'two' });
  expect([held(path, 'f'), held(path, 'g')]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
});

describe('lines of the content that look like markers', () => {
  const heading = (line: string) => ({
    base: `x\n${line}\nb\n`,
    ours: `x\n${line}\no\n`,
    theirs: `x\n${line}\nt\n`,
  });
  test('a heading beside a conflict is no part of it', async () => {
    const { path } = stopped({ f: heading('=======') });
    const client = await served.client([path]);
    await call(client, 'git_resolve', { paths: ['f'], decisions: [{ text: 'new' }] });
    expect(held(path, 'f')).toBe('x\n=======\nnew\n');
  });

  test.each([
    ['a heading in a side', { base: 'b\n', ours: 'o\n=======\no\n', theirs: 't\n' }, 'ours'],
    ['what looks like the base', { base: 'b\n', ours: 'o\n||||||| x\no\n', theirs: 't\n' }, 'ours'],
    ['what looks like the end', { base: 'b\n', ours: 'o\n', theirs: 't\n>>>>>>> x\nt\n' }, 'theirs'],
    [
      'a conflict that was committed',
      {
        base: 'b\n',
        ours: 'o\n=======\n1\n>>>>>>> side\nm\n<<<<<<< HEAD\n2\n',
        theirs: 't\n',
      },
      'ours',
    ],
  ])('decisions are refused where it is unclear what divides: %s', async (_, merged, side) => {
    const { path } = stopped({ f: merged });
    const before = held(path, 'f');
    const client = await served.client([path]);
    for (const decisions of [[side], [side, side]]) {
      const { failed } = await call(client, 'git_resolve', { paths: ['f'], decisions, allow_markers: true });
      expect([failed, held(path, 'f')]).toEqual([true, before]);
    }
    await call(client, 'git_resolve', { paths: ['f'], side });
    expect(held(path, 'f')).toBe(merged[side as 'ours']);
  });

  test('markers of another length leave those of seven to the content', async () => {
    const { path } = stopped({ f: heading('<<<<<<< x') }, 'f conflict-marker-size=9\n');
    const client = await served.client([path]);
    await call(client, 'git_resolve', { paths: ['f'], decisions: ['theirs'], allow_markers: true });
    expect(held(path, 'f')).toBe('x\n<<<<<<< x\nt\n');
  });
});

describe('files that are stored otherwise than they are in the work tree', () => {
  test.each([
    ['eol=crlf', 'f text eol=crlf\n', []],
    ['core.autocrlf', 'f text\n', ['core.autocrlf=true']],
  ])(
    '%s: lines are written as git writes them and stored without carriage returns',
    async (_, given, config) => {
      const merged = { base: 'a\nb\nc\n', ours: 'a\no\nc\n', theirs: 'a\nt\nc\n' };
      const { path } = stopped({ f: merged }, given, ...config);
      const client = await served.client([path]);
      await call(client, 'git_resolve', { paths: ['f'], decisions: [{ text: 'x\ny' }] });
      expect([held(path, 'f'), staged(path, 'f')]).toEqual(['a\r\nx\r\ny\r\nc\r\n', 'a\nx\ny\nc\n']);
      expect(git(path, 'diff', '--name-only').toString()).toBe('');
    },
  );

  test('another encoding: a content is encoded, and decisions are refused', async () => {
    const merged = { base: 'b\n', ours: 'ö\n', theirs: 't\n' };
    const { path } = stopped({ f: merged }, 'f working-tree-encoding=UTF-16LE-BOM\n');
    const client = await served.client([path]);
    const before = readFileSync(join(path, 'f'));
    const refused = await call(client, 'git_resolve', { paths: ['f'], decisions: ['ours'] });
    expect([refused.code, readFileSync(join(path, 'f'))]).toEqual(['invalid-choice', before]);
    await call(client, 'git_resolve', { paths: ['f'], content: 'ü\n' });
    const encoded = Buffer.from('\ufeffü\n', 'utf16le');
    expect([readFileSync(join(path, 'f')), staged(path, 'f')]).toEqual([encoded, 'ü\n']);
    expect(git(path, 'status', '--porcelain').toString()).toBe('M  f\n');
  });

  test('Latin-1 without an attribute: a text that a side has is its bytes, and no other text makes a mixture', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1') as unknown as string;
    const merged = { base: 'b\n', ours: latin('\xe4\n'), theirs: 't\n' };
    const { path } = stopped({ f: merged });
    const client = await served.client([path]);
    const decide = (text: string) => call(client, 'git_resolve', { paths: ['f'], decisions: [{ text }] });
    expect((await decide('ö\n')).code).toBe('invalid-choice');
    await decide('ä');
    expect(readFileSync(join(path, 'f'), 'latin1')).toBe('\xe4\n');
  });
});

test('a binary file has nothing to decide about, and keeps its bytes', async () => {
  const { path } = stopped({ f: { base: '\0b', ours: '\0o', theirs: '\0t' } });
  const client = await served.client([path]);
  const { code } = await call(client, 'git_resolve', { paths: ['f'], decisions: [{ text: 'x' }] });
  expect([code, held(path, 'f')]).toEqual(['invalid-choice', '\0o']);
});

test('a file that one side deleted and the other made executable comes back as an executable', async () => {
  const lines = 'one\ntwo\nthree\n';
  const path = diverging(made, 'executable', {
    base: { f: ['100755', lines] },
    main: {},
    side: { f: ['100755', `${lines}more\n`] },
  });
  git(path, 'merge', '-q', 'side', { okay: [1] });
  git(path, 'clean', '-qf');
  const client = await served.client([path]);
  for (const name of ['f']) git(path, 'checkout-index', '--force', '--stage=3', '--', name);
  await call(client, 'git_resolve', { paths: ['f'], content: 'mine\n' });
  expect([lstatSync(join(path, 'f')).mode & 0o100, git(path, 'ls-files', '-s', 'f').toString()]).toEqual([
    0o100,
    expect.stringMatching(/^100755/),
  ]);
});

/** Three versions of few lines, so that they are in conflict as a rule. */
const versions = fc
  .record({
    eol: fc.constantFrom('\n', '\n', '\r\n', 'mixed'),
    lines: fc.array(fc.constantFrom('a', 'b', '', ' x', 'ö'), { minLength: 1, maxLength: 8 }),
    edits: fc.tuple(
      ...(['ours', 'theirs'] as const).map((name) =>
        fc.array(
          fc.tuple(
            fc.nat(8),
            fc.nat(2),
            fc.array(fc.constantFrom('a', 'b', '', name, `${name}2`, 'both'), { maxLength: 3 }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      ),
    ),
    ends: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  })
  .map(({ eol, lines, edits, ends }): Merged => {
    const text = (all: readonly string[], end: boolean) =>
      all
        .map((line, at) => {
          const newline = eol === 'mixed' ? (at % 2 === 0 ? '\r\n' : '\n') : eol;
          return line + (at < all.length - 1 || end ? newline : '');
        })
        .join('');
    const [ours, theirs] = edits.map((some) => {
      const edited: string[] = [...lines];
      for (const [at, gone, added] of some) edited.splice(Math.min(at, edited.length), gone, ...added);
      return edited;
    });
    return { base: text(lines, ends[0]!), ours: text(ours!, ends[1]!), theirs: text(theirs!, ends[2]!) };
  });

interface Regions {
  conflicts: { path: string; regions: { ours: string; theirs: string }[] }[];
}

type Region = Regions['conflicts'][number]['regions'][number];

const bareOf = (text: string) => text.replace(/\r?\n$/, '');
const sides = ['ours', 'theirs'] as const;

/** Returns the decision for each conflict of a file; undefined where its text could mean another side. */
const ways: readonly (readonly [string, 'ours' | 'theirs' | 'union', (region: Region) => unknown])[] = [
  ...sides.map((side) => [side, side, () => side] as const),
  ['both', 'union', () => 'both'],
  ...sides.map((side) => [`the text of ${side}`, side, (region: Region) => textOf(region, side)] as const),
  ...sides.map((side) => [`${side} in lines`, side, (region: Region) => lineOf(region, side)] as const),
];

/** Lines that differ in their end alone can be told from each other by nobody. */
function textOf({ ours, theirs, ...region }: Region, side: (typeof sides)[number]) {
  return bareOf(ours) === bareOf(theirs) ? undefined : { text: { ...region, ours, theirs }[side] };
}

/** Without the newline of an empty line, a text is one of a line less. */
function lineOf(region: Region, side: (typeof sides)[number]) {
  const given = textOf(region, side);
  return given === undefined || /(?:^|\n)\r?\n$/.test(given.text) ? undefined : { text: bareOf(given.text) };
}

/** Returns git's merge with one side of each conflict, or both. */
function favoring(path: string, how: 'ours' | 'theirs' | 'union'): string {
  const copy = copyOf(path, `git-${how}`);
  git(copy, 'reset', '-q', '--hard');
  if (how === 'union') writeFileSync(join(copy, '.git/info/attributes'), '* merge=union\n');
  git(copy, 'merge', '-q', '--no-commit', ...(how === 'union' ? [] : [`-X${how}`]), 'side');
  return copy;
}

test('each decision about a file in conflict gives what git itself makes of it, byte for byte', {
  timeout: 600_000,
}, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(versions, { minLength: 6, maxLength: 6 }),
      fc.constantFrom('merge', 'merge', 'diff3', 'zdiff3'),
      async (all, style) => {
        const files = Object.fromEntries(all.map((each, at) => [`f${at}`, each]));
        const { path, paths } = stopped(files, '', `merge.conflictStyle=${style}`);
        if (paths.length === 0) return;
        const client = await served.client([folder], { maxOutput: 16 << 20 });
        const asked = { repo_path: path, contents: 'regions' };
        const { facts } = await call<Regions>(client, 'git_conflicts', asked);
        for (const [way, how, decision] of ways) {
          // in the others git cuts conflicts in another way than it does for both
          if (how === 'union' && style !== 'merge') continue;
          const copy = copyOf(path, way.replaceAll(' ', '-'));
          const expected = favoring(path, how);
          for (const { path: name, regions } of facts.conflicts) {
            const decisions = regions.map(decision);
            if (decisions.includes(undefined)) continue;
            const { text } = await call(client, 'git_resolve', { repo_path: copy, paths: [name], decisions });
            expect(
              [text.split('\n')[0], held(copy, name)],
              `${way} of ${JSON.stringify(files[name])}`,
            ).toEqual([`resolved ${name}`, held(expected, name)]);
            expect(staged(copy, name)).toBe(held(copy, name));
            seen.set(way, (seen.get(way) ?? 0) + 1);
          }
          for (const done of [copy, expected]) rmSync(done, { recursive: true });
        }
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
  expect(ways.filter(([way]) => (seen.get(way) ?? 0) === 0).map(([way]) => way)).toEqual([]);
});
