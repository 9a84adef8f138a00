import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Worktrees {
  worktrees: Record<string, unknown>[];
}

/** A repository in `main` of the folder, so that worktrees may lie beside it. */
function repository(): Scratch & { top: string } {
  const made = scratch();
  const top = join(made.folder, 'main');
  made.git(made.folder, 'init', '-q', 'main');
  made.git(top, 'commit', '-qm', 'one', '--allow-empty');
  return { ...made, top };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('worktrees tell where they are, what they are at, and which are locked or gone', async () => {
    const { folder, git, top } = repository();
    const [kept, gone] = [join(folder, 'kept'), join(folder, 'gone')];
    git(top, 'worktree', 'add', '-q', '-b', 'side', kept);
    git(top, 'worktree', 'lock', '--reason', 'on a stick', kept);
    git(top, 'worktree', 'add', '-q', '--detach', gone);
    rmSync(gone, { recursive: true });
    const commit = git(top, 'rev-parse', 'HEAD').toString().trim();
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_list', { kind: 'worktrees', repo_path: top });
    const at = commit.slice(0, 12);
    expect([failed, text.split('\n')]).toEqual([
      false,
      [
        `* ${top} ${at} [main] (main)`,
        expect.stringMatching(`^  ${gone} ${at} \\[detached\\] \\(prunable: `),
        `  ${kept} ${at} [side] (locked: on a stick)`,
      ],
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        worktrees: [
          { path: top, main: true, current: true, branch: 'main', commit },
          { path: gone, commit, prunable: expect.stringMatching('non-existent') },
          { path: kept, branch: 'side', commit, locked: 'on a stick' },
        ],
        total: 3,
        truncated: false,
      });
  });
});

test('a worktree outside the roots is said to be outside and not named, whether or not it is there', async () => {
  const { folder, git, top } = repository();
  for (const name of ['there', 'gone']) git(top, 'worktree', 'add', '-q', '-b', name, join(folder, name));
  rmSync(join(folder, 'gone'), { recursive: true });
  const client = await served.client([top]);
  for (const [tool, args] of [['git_list', { kind: 'worktrees' }] as const, ['git_overview', {}] as const]) {
    const { text, facts } = await call<Worktrees>(client, tool, args);
    const [, ...others] = facts.worktrees.map((one) => ({ ...one, commit: '' }));
    expect(others).toEqual([
      { outside: true, branch: 'gone', commit: '' },
      { outside: true, branch: 'there', commit: '' },
    ]);
    expect(`${text}${JSON.stringify(facts)}`.replaceAll(top, '')).not.toContain(folder);
  }
});

test('a link of the repository that leads outside does not make a worktree inside', async () => {
  const { folder, git, top } = repository();
  git(top, 'worktree', 'add', '-q', '-b', 'side', join(folder, 'side'));
  symlinkSync(join(folder, 'side'), join(top, 'link'));
  writeFileSync(join(top, '.git', 'worktrees', 'side', 'gitdir'), `${join(top, 'link', '.git')}\n`);
  const client = await served.client([top]);
  const { facts } = await call<Worktrees>(client, 'git_list', { kind: 'worktrees' });
  expect(facts.worktrees[1]).toMatchObject({ outside: true });
  expect(facts.worktrees[1]).not.toHaveProperty('path');
});

test('a linked worktree knows itself, and the main one is outside where only its git dir is permitted', async () => {
  const { folder, git, top } = repository();
  const side = join(folder, 'side');
  git(top, 'worktree', 'add', '-q', '-b', 'side', side);
  const extra = { 'allow-common-dir': [join(top, '.git')] };
  const client = await served.client([side], { extra });
  const { facts } = await call<Worktrees>(client, 'git_list', { kind: 'worktrees' });
  expect(facts.worktrees).toMatchObject([
    { outside: true, main: true, branch: 'main' },
    { path: side, current: true, branch: 'side' },
  ]);
});

test('a bare repository is its own first worktree', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q', '--bare');
  const client = await served.client([folder]);
  const { text, facts } = await call<Worktrees>(client, 'git_list', { kind: 'worktrees' });
  expect(text).toBe(`* ${folder} [bare] (main)`);
  expect(facts.worktrees).toEqual([{ path: folder, main: true, current: true, bare: true }]);
});

test('worktrees continue where they stopped, those outside too, and cursors do not tell where they are', async () => {
  const { folder, git, top } = repository();
  for (let index = 0; index < 12; index++)
    git(top, 'worktree', 'add', '-q', '-b', `b${10 + index}`, join(folder, `w${10 + index}`));
  const client = await served.client([top], { maxOutput: 1024 });
  const all = await everyPage<{ branch: string }>(client, 'git_list', 'worktrees', 1024, {
    kind: 'worktrees',
  });
  const branches = Array.from({ length: 12 }, (_, index) => `b${10 + index}`);
  expect(all.map(({ branch }) => branch)).toEqual(['main', ...branches]);
  const { facts } = await call<{ next_cursor: string }>(client, 'git_list', { kind: 'worktrees' });
  expect(Buffer.from(facts.next_cursor, 'base64url').toString()).not.toContain(folder);
});
