import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Submodules {
  submodules: Record<string, unknown>[];
  problem?: string;
}

/** A repository `top` with submodules of these names, whose origin `inner` has two commits and is at the second. */
function repository(...names: string[]): Scratch & { top: string; recorded: string } {
  const made = scratch();
  const { folder, git } = made;
  const [inner, top] = [join(folder, 'inner'), join(folder, 'top')];
  for (const name of ['inner', 'top']) git(folder, 'init', '-q', name);
  for (const message of ['one', 'two']) git(inner, 'commit', '-qm', message, '--allow-empty');
  for (const name of names) git(top, 'submodule', '--quiet', 'add', '-b', 'main', inner, name);
  git(top, 'commit', '-qm', 'with submodules', '--allow-empty');
  return { ...made, top, recorded: git(inner, 'rev-parse', 'HEAD').toString().trim() };
}

describe.each(allRevisions)('in %s', (revision) => {
  test('submodules tell what is recorded, what is checked out and how that differs', async () => {
    const { folder, git, top, recorded } = repository('behind', 'dirty', 'gone', 'same');
    git(join(top, 'behind'), 'switch', '-q', '--detach', 'HEAD~1');
    writeFileSync(join(top, 'dirty', 'new'), '');
    git(top, 'submodule', '--quiet', 'deinit', '--force', 'gone');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_list', { kind: 'submodules', repo_path: top });
    const url = join(folder, 'inner');
    const [at, older] = [recorded, git(join(folder, 'inner'), 'rev-parse', 'HEAD~1').toString().trim()];
    expect([failed, text.split('\n')]).toEqual([
      false,
      [
        `+${at.slice(0, 12)} behind ${url} (at ${older.slice(0, 12)}, new commits)`,
        ` ${at.slice(0, 12)} dirty ${url} (at main, untracked content)`,
        `-${at.slice(0, 12)} gone ${url} (not checked out)`,
        ` ${at.slice(0, 12)} same ${url} (at main)`,
      ],
    ]);
    if (structuredRevisions.includes(revision)) {
      const declared = (name: string) => ({ path: name, name, url, follows: 'main', commit: at });
      expect(facts).toEqual({
        submodules: [
          { ...declared('behind'), state: 'checked-out', detached: older, new_commits: true },
          { ...declared('dirty'), state: 'checked-out', branch: 'main', untracked: true },
          { ...declared('gone'), state: 'absent' },
          { ...declared('same'), state: 'checked-out', branch: 'main' },
        ],
        total: 4,
        truncated: false,
      });
    }
  });
});

test('a repository without submodules has none, and a bare one is refused', async () => {
  const { top, folder, git } = repository();
  git(folder, 'clone', '-q', '--bare', top, 'bare.git');
  const client = await served.client([folder]);
  expect((await call(client, 'git_list', { kind: 'submodules', repo_path: top })).text).toBe('no submodules');
  const bare = await call(client, 'git_list', { kind: 'submodules', repo_path: join(folder, 'bare.git') });
  expect(bare.code).toBe('unsupported');
});

test('a submodule that nothing declares is listed, and so is each where .gitmodules cannot be read', async () => {
  const { top, git, recorded } = repository('known');
  git(top, 'update-index', '--add', '--cacheinfo', `160000,${recorded},stray`);
  const client = await served.client([join(top, '..')]);
  const ask = () => call<Submodules>(client, 'git_list', { kind: 'submodules', repo_path: top });
  const stray = (await ask()).facts.submodules.find(({ path }) => path === 'stray');
  expect(stray).toEqual({ path: 'stray', state: 'absent', commit: recorded });
  writeFileSync(join(top, '.gitmodules'), '[submodule "known\n');
  const { text, facts } = await ask();
  expect([facts.submodules.length, facts.problem]).toEqual([2, 'git cannot read .gitmodules']);
  expect(text).toContain(facts.problem);
});

test('a .gitmodules that is in the index alone declares them, without credentials and commands', async () => {
  const { top, folder, git } = repository('one');
  const lines =
    '[submodule "one"]\npath = one\nurl = https://u:secret@example.org/x\nupdate = !touch marker\n';
  writeFileSync(join(top, '.gitmodules'), lines);
  git(top, 'add', '.gitmodules');
  rmSync(join(top, '.gitmodules'));
  const client = await served.client([folder]);
  const { text, facts } = await call<Submodules>(client, 'git_list', { kind: 'submodules', repo_path: top });
  expect(facts.submodules[0]).toMatchObject({ url: 'https://example.org/x', update: 'command' });
  expect(facts.problem).toBe('git refuses to compare them, as by .gitmodules');
  expect(`${text}${JSON.stringify(facts)}`).not.toMatch(/secret|touch/);
});

test('submodules continue where they stopped, also those with names that are not UTF-8', async () => {
  const { top, folder, git, recorded } = repository();
  // in Latin-1
  const names = Array.from({ length: 30 }, (_, index) => `caf\xe9 ${10 + index}`);
  const lines = names.map((name) => `160000 ${recorded}\t${name}\0`).join('');
  git(top, 'update-index', '-z', '--index-info', { input: Buffer.from(lines, 'latin1') });
  const client = await served.client([folder], { maxOutput: 2048 });
  const all = await everyPage<{ path: string }>(client, 'git_list', 'submodules', 2048, {
    kind: 'submodules',
    repo_path: top,
  });
  expect(all.map(({ path }) => path)).toEqual(names.map((name) => `"${name.replace('\xe9', '\\351')}"`));
});

test('how a submodule differs is told of one whose name is quoted, beside one that is not UTF-8', async () => {
  const { top, folder, git, recorded } = repository();
  git(top, 'clone', '-q', '../inner', '"tab\t');
  writeFileSync(join(top, '"tab\t', 'new'), '');
  const lines = ['"tab\t', 'caf\xe9'].map((name) => `160000 ${recorded}\t${name}\0`).join('');
  git(top, 'update-index', '-z', '--index-info', { input: Buffer.from(lines, 'latin1') });
  const client = await served.client([folder]);
  const { facts } = await call<Submodules>(client, 'git_list', { kind: 'submodules', repo_path: top });
  expect(facts.submodules).toMatchObject([
    { path: '"\\"tab\\t"', state: 'checked-out', untracked: true },
    { path: '"caf\\351"', state: 'absent' },
  ]);
});
