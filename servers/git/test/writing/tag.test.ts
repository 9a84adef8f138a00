import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { identity, scratch } from '../scratch.ts';

const served = new Served();
const { folder, git } = scratch();

function repository(name: string): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', path);
  for (const [key, value] of [
    ['user.name', identity.GIT_COMMITTER_NAME],
    ['user.email', identity.GIT_COMMITTER_EMAIL],
  ] as const)
    git(path, 'config', key, value);
  git(path, 'commit', '-qm', 'one', '--allow-empty');
  git(path, 'commit', '-qm', 'two', '--allow-empty');
  return path;
}

const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();

describe.each(allRevisions)('git_tag at %s', (revision) => {
  test('tags a revision', async () => {
    const path = repository(`made-${revision}`);
    const client = await served.client([path], { revision });
    const { text } = await call(client, 'git_tag', { repo_path: path, tag_name: 'v1', revision: 'HEAD~1' });
    expect(text).toBe(`tagged ${idOf(path, 'HEAD~1').slice(0, 12)} as v1`);
    expect(idOf(path, 'refs/tags/v1')).toBe(idOf(path, 'HEAD~1'));
  });
});

test('an annotated tag holds its message, moves and goes, and each undo brings the same object back', async () => {
  const path = repository('annotated');
  const client = await served.client([path]);
  const message = 'größer\n\n# not a comment\n';
  const made = await call<{ object: string }>(client, 'git_tag', { tag_name: 'v1', message });
  const { object } = made.facts;
  expect(made.facts).toMatchObject({
    tag: 'v1',
    target: idOf(path, 'HEAD'),
    signed: false,
    undo: 'git_tag with tag_name "v1" and delete',
  });
  expect(git(path, 'cat-file', 'tag', 'v1').toString()).toContain(`\n\n${message}`);
  const again = await call(client, 'git_tag', { tag_name: 'v1' });
  expect(again.code).toBe('exists');
  const moved = await call(client, 'git_tag', { tag_name: 'v1', force: true, revision: 'HEAD~1' });
  const undo = `git_tag with tag_name "v1", force and revision "${object}"`;
  expect(moved.facts).toMatchObject({ previous: object, undo });
  await call(client, 'git_tag', { tag_name: 'v1', force: true, revision: object });
  expect(idOf(path, 'refs/tags/v1')).toBe(object);
  const stale = await call(client, 'git_tag', { tag_name: 'v1', delete: true, expected: idOf(path, 'HEAD') });
  expect([stale.code, idOf(path, 'refs/tags/v1')]).toEqual(['moved', object]);
  const gone = await call(client, 'git_tag', { tag_name: 'v1', delete: true, expected: object });
  expect(gone.facts).toMatchObject({ previous: object, undo });
  expect(git(path, 'tag').toString()).toBe('');
});

test('no tag is made unsigned without a word', async () => {
  const path = repository('signed');
  git(path, 'config', 'tag.gpgSign', 'true');
  git(path, 'config', 'gpg.program', `touch ${join(folder, 'marker')}; false`);
  const client = await served.client([path]);
  const { facts } = await call(client, 'git_tag', { tag_name: 'v1', message: 'm' });
  expect(facts).toMatchObject({ signed: false, unsigned_because: expect.stringContaining('tag.gpgsign') });
  expect(existsSync(join(folder, 'marker'))).toBe(false);
  const asked = await call(client, 'git_tag', { tag_name: 'v2', message: 'm', sign: true });
  expect([asked.failed, git(path, 'tag').toString()]).toEqual([true, 'v1\n']);
  const trusting = await served.client([path], { extra: { trust: [path] } });
  expect((await call(trusting, 'git_tag', { tag_name: 'v3', message: 'm' })).failed).toBe(true);
  expect(git(path, 'tag').toString()).toBe('v1\n');
});

test.each([
  [{ tag_name: '-d' }, 'invalid-ref'],
  [{ tag_name: 'refs/tags/x' }, 'invalid-ref'],
  [{ tag_name: 'x', revision: '--force' }, 'invalid-revision'],
  [{ tag_name: 'x', message: ' ' }, 'invalid-arguments'],
  [{ tag_name: 'x', delete: true }, 'unknown-revision'],
  [{ tag_name: 'x', sign: true }, 'invalid-arguments'],
])('%j is refused', async (args, code) => {
  const path = join(folder, 'refused');
  if (!existsSync(path)) repository('refused');
  const client = await served.client([path]);
  expect((await call(client, 'git_tag', args)).code).toBe(code);
  expect(git(path, 'tag').toString()).toBe('');
});

test('nothing is tagged in a root that may only be read', async () => {
  const path = repository('closed');
  const client = await served.client([{ path, readOnly: true }]);
  expect((await call(client, 'git_tag', { tag_name: 'v1' })).code).toBe('read-only');
});
