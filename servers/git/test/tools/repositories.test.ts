import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Repositories {
  repositories: { path: string; refused?: string; code?: string }[];
}

describe.each(allRevisions)('in %s', (revision) => {
  test('the repositories in the roots are listed with what they are at', async () => {
    const { folder, git } = scratch();
    for (const name of ['a', 'b/c']) git(folder, 'init', '-q', name);
    git(folder, 'init', '-q', '--bare', 'd.git');
    git(join(folder, 'a'), 'commit', '-qm', 'one', '--allow-empty');
    git(join(folder, 'a'), 'switch', '-q', '--detach');
    const detached = git(join(folder, 'a'), 'rev-parse', 'HEAD').toString().trim();
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_repositories');
    expect([failed, text.split('\n')]).toEqual([
      false,
      [
        `${folder}/a (normal, detached at ${detached.slice(0, 12)})`,
        `${folder}/d.git (bare, main)`,
        `${folder}/b/c (normal, main)`,
      ],
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        repositories: [
          { path: `${folder}/a`, kind: 'normal', detached },
          { path: `${folder}/d.git`, kind: 'bare', branch: 'main' },
          { path: `${folder}/b/c`, kind: 'normal', branch: 'main' },
        ],
        total: 3,
        truncated: false,
      });
  });
});

test('one that leads out of the roots is refused by what in it does, not by where that is', async () => {
  const [{ folder, git, write }, other] = [scratch(), scratch()];
  git(folder, 'init', '-q', 'fine');
  other.git(other.folder, 'init', '-q');
  write('stray/.git', `gitdir: ${other.folder}/.git\n`);
  const client = await served.client([{ path: folder, readOnly: true }]);
  const { text, facts } = await call<Repositories>(client, 'git_repositories');
  expect(facts.repositories).toMatchObject([
    { path: `${folder}/fine`, read_only: true },
    { path: `${folder}/stray`, code: 'not-found', refused: expect.stringContaining('stray/.git leads to') },
  ]);
  expect(`${text}${JSON.stringify(facts)}`).not.toContain(other.folder);
});

test('roots without a repository say so, and the folder of one reads as one line', async () => {
  const [empty, odd] = [scratch(), scratch()];
  expect((await call(await served.client([empty.folder]), 'git_repositories')).text).toBe(
    'no repositories in the allowed roots',
  );
  const top = join(odd.folder, 'two\nlines');
  mkdirSync(top);
  odd.git(top, 'init', '-q');
  const client = await served.client([odd.folder]);
  const { text, facts } = await call<Repositories>(client, 'git_repositories');
  expect([facts.repositories[0]!.path, text]).toEqual([top, `${odd.folder}/two\\nlines (normal, main)`]);
  const { failed } = await call(client, 'git_status', { repo_path: facts.repositories[0]!.path });
  expect(failed).toBe(false);
});

test('repositories continue where they stopped, the refused behind the others', async () => {
  const { folder, git, write } = scratch();
  const names = Array.from({ length: 20 }, (_, index) => join(folder, `r${10 + index}`));
  for (const name of names) git(folder, 'init', '-q', name);
  for (let index = 0; index < 5; index++) write(`x${index}/.git`, 'gitdir: /nowhere\n');
  const client = await served.client([folder], { maxOutput: 2048 });
  const all = await everyPage<{ path: string }>(client, 'git_repositories', 'repositories', 2048);
  const refused = Array.from({ length: 5 }, (_, index) => join(folder, `x${index}`));
  expect(all.map(({ path }) => path)).toEqual([...names, ...refused]);
});
