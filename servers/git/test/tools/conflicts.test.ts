import { rmSync } from 'node:fs';
import { jsonBytes } from '@rootbound/kit/budget';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

interface Version {
  mode: string;
  oid: string;
  text?: string;
  binary?: boolean;
}
interface Facts {
  operations?: { kind: string; step?: number; steps?: number; heads?: string[] }[];
  preflight?: { ours: string; theirs: string; clean: boolean; tree: string; messages: string[] };
  conflicts: {
    path: string;
    conflict: string;
    base?: Version;
    ours?: Version;
    theirs?: Version;
    regions?: { start: number; end: number; ours?: string; base?: string; theirs?: string }[];
    region_count?: number;
    stray?: number[];
    cut?: boolean;
    lossy?: boolean;
  }[];
  total: number;
  truncated: boolean;
  next_cursor?: string;
}

const served = new Served();

type Files = Readonly<Record<string, string | Buffer | undefined>>;

/** Branches `main` and `side` that changed what `base` had: undefined deletes. */
function diverged(base: Files, main: Files, side: Files): Scratch {
  const made = scratch();
  const { folder, git, write } = made;
  const commit = (files: Files, message: string) => {
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) rmSync(`${folder}/${path}`);
      else write(path, content);
    }
    git(folder, 'add', '--all');
    git(folder, 'commit', '-qm', message, '--allow-empty');
  };
  git(folder, 'init', '-q');
  commit(base, 'base');
  git(folder, 'switch', '-qc', 'side');
  commit(side, 'side');
  git(folder, 'switch', '-q', 'main');
  commit(main, 'main');
  return made;
}

const merge = ({ folder, git }: Scratch, ...args: string[]) =>
  git(folder, ...args, 'merge', '-q', 'side', { okay: [1] });

const oidOf = ({ folder, git }: Scratch, name: string) => git(folder, 'rev-parse', name).toString().trim();

const simple = () =>
  diverged(
    { a: 'top\none\nend\n', b: 'one\n' },
    { a: 'top\nmain\nend\n', b: undefined },
    { a: 'top\nside\nend\n', b: 'two\n' },
  );

describe.each(allRevisions)('in %s', (revision) => {
  test('a merge in progress tells its conflicts, their versions, and where the markers are', async () => {
    const made = simple();
    merge(made);
    const client = await served.client([made.folder], { revision });
    const { text, facts } = await call<Facts>(client, 'git_conflicts');
    const side = oidOf(made, 'side');
    expect(text.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
      `merge in progress, of ${side.slice(0, 12)}`,
      '2 paths in conflict',
      'both-modified a, lines 2-6',
      'deleted-by-us b',
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toMatchObject({
        operations: [{ kind: 'merge', heads: [side] }],
        conflicts: [
          {
            path: 'a',
            conflict: 'both-modified',
            base: { mode: '100644', oid: oidOf(made, ':1:a') },
            ours: { oid: oidOf(made, ':2:a') },
            theirs: { oid: oidOf(made, ':3:a') },
            regions: [{ start: 2, end: 6, ours_label: 'HEAD', theirs_label: 'side' }],
            region_count: 1,
          },
          { path: 'b', conflict: 'deleted-by-us', base: {}, theirs: {} },
        ],
        total: 2,
        truncated: false,
      });
  });
});

test('the texts between the markers come on request, with the base where the markers tell it', async () => {
  const made = simple();
  merge(made, '-c', 'merge.conflictStyle=diff3');
  const client = await served.client([made.folder]);
  const { facts, text } = await call<Facts>(client, 'git_conflicts', { contents: 'regions', paths: ['a'] });
  expect(facts.conflicts[0]?.regions).toMatchObject([{ ours: 'main\n', base: 'one\n', theirs: 'side\n' }]);
  expect(text).toContain('<<<<<<< HEAD\nmain\n|||||||\none\n=======\nside\n>>>>>>> side');
  expect(facts.total).toBe(1);
});

test('the whole versions come on request, and binary ones are said to be that', async () => {
  const made = diverged(
    { a: 'one\n', bin: Buffer.from([0, 1]) },
    { a: 'caf\xe9\n', bin: Buffer.from([0, 2]) },
    { a: Buffer.from('caf\xe9s\n', 'latin1'), bin: Buffer.from([0, 3]) },
  );
  merge(made);
  const client = await served.client([made.folder]);
  const { facts } = await call<Facts>(client, 'git_conflicts', { contents: 'versions' });
  expect(facts.conflicts).toMatchObject([
    {
      path: 'a',
      base: { text: 'one\n' },
      ours: { text: 'café\n' },
      theirs: { text: 'cafés\n' },
      lossy: true,
    },
    { path: 'bin', base: { binary: true }, ours: { binary: true }, theirs: { binary: true } },
  ]);
});

test('markers of another length, and those that belong to nothing, are told from the rest', async () => {
  const made = diverged(
    { a: '<<<<<<< not\none\n', '.gitattributes': 'a conflict-marker-size=9\n', b: 'one\n' },
    { a: '<<<<<<< not\nmain\n', b: 'main\n' },
    { a: '<<<<<<< not\nside\n', b: 'side\n>>>>>>> x\n' },
  );
  merge(made);
  const client = await served.client([made.folder]);
  const { facts } = await call<Facts>(client, 'git_conflicts');
  expect(facts.conflicts.map(({ path, regions, stray }) => [path, regions?.length, stray])).toEqual([
    ['a', 1, undefined],
    ['b', 1, [6]],
  ]);
});

test('a rebase tells its step, and nothing in progress is said', async () => {
  const made = simple();
  const { folder, git } = made;
  const client = await served.client([folder]);
  expect((await call(client, 'git_conflicts')).text).toBe('nothing in progress, no conflicts');
  git(folder, 'rebase', '-q', 'side', { okay: [1] });
  const { facts } = await call<Facts>(client, 'git_conflicts');
  expect(facts.operations).toMatchObject([{ kind: 'rebase', step: 1, steps: 1, branch: 'main' }]);
});

test('a preflight tells what a merge would come to, and leaves index and work tree as they are', async () => {
  const made = simple();
  const { folder, git } = made;
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_conflicts', { merge: 'side', contents: 'regions' });
  expect(facts).toMatchObject({
    preflight: { ours: oidOf(made, 'main'), theirs: oidOf(made, 'side'), clean: false },
    conflicts: [
      { path: 'a', regions: [{ start: 2, end: 6, ours: 'main\n', theirs: 'side\n' }] },
      { path: 'b', conflict: 'deleted-by-us' },
    ],
  });
  expect(facts.operations).toBeUndefined();
  expect(text).toMatch(/^merging [0-9a-f]{12} into [0-9a-f]{12} would end with 2 paths in conflict\n/);
  expect(git(folder, 'status', '--porcelain').toString()).toBe('');
  const clean = await call<Facts>(client, 'git_conflicts', { merge: 'side', into: 'side~1' });
  expect(clean.facts).toMatchObject({
    preflight: { clean: true, tree: oidOf(made, 'side^{tree}') },
    total: 0,
  });
});

test('a preflight is refused where nothing may be written, and its arguments are checked', async () => {
  const { folder } = simple();
  const readOnly = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(readOnly, 'git_conflicts', { merge: 'side' })).code).toBe('read-only');
  expect((await call(readOnly, 'git_conflicts')).failed).toBe(false);
  const client = await served.client([folder]);
  const codeOf = async (args: Record<string, unknown>) => (await call(client, 'git_conflicts', args)).code;
  expect(await codeOf({ merge: '--stdin' })).toBe('invalid-revision');
  expect(await codeOf({ merge: 'side', into: 'nowhere' })).toBe('unknown-revision');
  expect(await codeOf({ into: 'side' })).toBe('invalid-arguments');
  expect(await codeOf({ merge: 'side', paths: ['a'] })).toBeUndefined();
});

test('more conflicts than fit go on where they stopped, and a large one is cut and says so', async () => {
  const paths = Array.from({ length: 60 }, (_, index) => `file-${String(index).padStart(2, '0')}`);
  const all = (content: string): Files => ({
    ...Object.fromEntries(paths.map((path) => [path, `${content}\n`])),
    large: `${content} "x"\n`.repeat(2000),
    many: Array.from(
      { length: 200 },
      (_, index) => `${content} ${index}\n${`same ${index}\n`.repeat(6)}`,
    ).join(''),
  });
  const made = diverged(all('base'), all('main'), all('side'));
  merge(made);
  const client = await served.client([made.folder], { maxOutput: 6000 });
  for (const contents of ['regions', 'versions']) {
    const seen: Facts['conflicts'] = [];
    let cursor: string | undefined;
    do {
      const args = { contents, ...(cursor !== undefined && { cursor }) };
      const { facts, text } = await call<Facts>(client, 'git_conflicts', args);
      expect(Math.max(Buffer.byteLength(JSON.stringify(facts)), jsonBytes(text))).toBeLessThanOrEqual(6000);
      expect([facts.total, facts.truncated]).toEqual([62, facts.next_cursor !== undefined]);
      seen.push(...facts.conflicts);
      cursor = facts.next_cursor;
    } while (cursor !== undefined);
    expect(seen.map(({ path }) => path)).toEqual([...paths, 'large', 'many']);
    expect(seen.filter(({ cut }) => cut === true).map(({ path }) => path)).toEqual(['large', 'many']);
    expect(seen.at(-1)?.region_count).toBe(200);
  }
});

test('a name that is not UTF-8 is quoted as git does it', async () => {
  const name = Buffer.from('caf\xe9', 'latin1');
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  const blob = git(folder, 'hash-object', '-w', '--stdin', { input: 'x\n' }).toString().trim();
  const entries = [1, 2, 3].map((stage) => Buffer.concat([Buffer.from(`100644 ${blob} ${stage}\t`), name]));
  const input = Buffer.concat(entries.flatMap((entry) => [entry, Buffer.from([0])]));
  git(folder, 'update-index', '-z', '--index-info', { input });
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_conflicts');
  expect(facts.conflicts).toMatchObject([{ path: '"caf\\351"', conflict: 'both-modified' }]);
});
