import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git, write } = scratch();

/** Files that are tracked, untracked, ignored and of another repository. */
function repository(name: string): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', path);
  write(`${name}/.gitignore`, '*.log\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'one');
  write(`${name}/größe`, '');
  write(`${name}/deep/new`, '');
  write(`${name}/x.log`, '');
  git(folder, 'init', '-q', join(path, 'inner'));
  return path;
}

const left = (path: string): boolean[] =>
  ['größe', 'deep', 'x.log', 'inner', '.gitignore'].map((name) => existsSync(join(path, name)));

describe.each(allRevisions)('git_clean at %s', (revision) => {
  test('tells what it would delete', async () => {
    const path = repository(`told-${revision}`);
    const client = await served.client([path], { revision });
    const { text } = await call(client, 'git_clean', { repo_path: path });
    expect(text).toBe(
      'nothing was deleted; dry_run: false deletes these 2:\n  deep/new\n  größe\nrepositories that stay: inner/',
    );
    expect(left(path)).toEqual([true, true, true, true, true]);
  });
});

test('a confirmed call without dry_run: false deletes nothing, and says what it lacks', async () => {
  const path = repository('confirmed');
  const client = await served.client([path]);
  const { text, facts } = await call(client, 'git_clean', { confirm: true, paths: ['deep'] });
  expect([text, facts.deleted]).toEqual([
    'nothing was deleted; dry_run: false deletes this one:\n  deep/new',
    false,
  ]);
  expect(left(path)).toEqual([true, true, true, true, true]);
});

test('files are deleted when that is confirmed, and repositories among them stay', async () => {
  const path = repository('deleted');
  const client = await served.client([path]);
  const unconfirmed = await call(client, 'git_clean', { dry_run: false });
  expect([unconfirmed.code, left(path)]).toEqual(['needs-confirmation', [true, true, true, true, true]]);
  const some = await call(client, 'git_clean', { dry_run: false, confirm: true, paths: ['deep'] });
  expect([some.facts.files, left(path)]).toEqual([['deep/new'], [true, false, true, true, true]]);
  const { facts } = await call(client, 'git_clean', { dry_run: false, confirm: true, ignored: true });
  expect(facts).toMatchObject({ deleted: true, files: ['größe', 'x.log'], total: 2 });
  expect(facts).not.toHaveProperty('undo');
  expect(left(path)).toEqual([false, false, false, true, true]);
});

test('a path that looks like an option or a pattern is one file', async () => {
  const path = repository('named');
  write('named/-x', '');
  write('named/*', '');
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_clean', { dry_run: false, confirm: true, paths: ['-x', '*'] });
  expect([facts.files, left(path)]).toEqual([
    ['*', '-x'],
    [true, true, true, true, true],
  ]);
});

test('an answer is for the files that the user was told of', async () => {
  const path = repository('since');
  const asked: string[] = [];
  const elicitation = ({ message }: { message: string }) => {
    asked.push(message);
    if (asked.length === 1) write('since/later', '');
    return { action: 'accept' as const, content: { confirm: asked.length === 1 } };
  };
  const client = await served.client([path], { elicitation });
  const { code } = await call(client, 'git_clean', { dry_run: false });
  expect([code, left(path)]).toEqual(['declined', [true, true, true, true, true]]);
  expect(asked).toEqual([
    'Delete 2 untracked files deep/new, größe?',
    'Delete 3 untracked files deep/new, größe, later?',
  ]);
});

test('nothing is deleted in a root that may only be read', async () => {
  const path = repository('closed');
  const client = await served.client([{ path, readOnly: true }]);
  expect((await call(client, 'git_clean', { dry_run: false, confirm: true })).code).toBe('read-only');
});
