import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { toGitUri } from '../../src/call/git-uri.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { contentOf, factsOf } from './reading.ts';

const served = new Served();
const { folder, git, write } = scratch();
const top = join(folder, 'a b?#{}');
mkdirSync(top);
git(top, 'init');
write('a b?#{}/src/one.ts', 'one\n');
write('a b?#{}/src/two?.ts', 'two\n');
write('a b?#{}/readme.md', 'readme\n');
const odd = git(top, 'hash-object', '-w', '--stdin', { input: 'odd\n' }).toString().trim();
git(top, 'add', '.');
git(top, 'update-index', '--index-info', { input: Buffer.from(`100644 ${odd}\tcaf\xe9\n`, 'latin1') });
git(top, 'commit', '-m', 'one');
git(top, 'commit', '--allow-empty', '-m', 'two', '--author=Bob <bob@example.org>');
git(top, 'branch', 'feature/x');
git(top, 'tag', 'v1');
const idOf = (name: string) => git(top, 'rev-parse', name).toString().trim();
const repo = toGitUri(top).slice('git:///'.length);

describe.each(allRevisions)('in %s', (revision) => {
  /** what `typed` is completed to, for a variable of the template with this query */
  const completed = async (query: string, name: string, typed: string, known?: Record<string, string>) => {
    const client = await served.client([top], { revision });
    const ref = { type: 'ref/resource', uri: `git:///{+repo}${query}` } as const;
    return (await client.complete(ref, { name, value: typed }, known)).values;
  };

  test('a repository is completed to the URI that reads it', async () => {
    for (const typed of ['', repo.slice(0, 4), repo])
      expect(await completed('', 'repo', typed)).toEqual([repo]);
    expect(await completed('', 'repo', 'etc/')).toEqual([]);
    const client = await served.client([top], { revision });
    expect(await factsOf(client, `git:///${repo}`)).toMatchObject({ path: top });
  });

  test('refs are completed by their whole names, those that begin as typed first', async () => {
    const values = await completed('?ref={+ref}', 'ref', '', { repo });
    expect(values.toSorted()).toEqual(['HEAD', 'refs/heads/feature/x', 'refs/heads/main', 'refs/tags/v1']);
    expect(await completed('?ref={+ref}', 'ref', 'refs/heads/f', { repo })).toEqual(['refs/heads/feature/x']);
    expect(await completed('?ref={+ref}', 'ref', 'feat', { repo })).toEqual(['refs/heads/feature/x']);
    expect(await completed('?ref={+ref}', 'ref', '', { repo: 'etc' })).toEqual([]);
  });

  test('ids are completed for the type that the template wants', async () => {
    const [head, before] = [idOf('HEAD'), idOf('HEAD~1')];
    expect(await completed('?commit={oid}', 'oid', '', { repo })).toEqual([head, before]);
    expect(await completed('?diff={from}..{to}', 'to', before.slice(0, 6), { repo })).toEqual([before]);
    const tree = idOf('HEAD^{tree}');
    expect(await completed('?tree={oid}', 'oid', tree.slice(0, 3), { repo })).toEqual([tree]);
    const blob = idOf('HEAD:readme.md');
    expect(await completed('?blob={oid}', 'oid', blob.slice(0, 3), { repo })).toEqual([]);
    expect(await completed('?blob={oid}', 'oid', blob.slice(0, 8), { repo })).toEqual([blob]);
    expect(await completed('?commit={oid}', 'oid', blob.slice(0, 8), { repo })).toEqual([]);
  });

  test('paths of a commit are completed so that each reads its file', async () => {
    const oid = idOf('HEAD');
    const at = (typed: string) => completed('?commit={oid}&path={+path}', 'path', typed, { repo, oid });
    expect(await at('')).toEqual(['caf%E9', 'readme.md', 'src/']);
    expect(await at('src/t')).toEqual(['src/two%3F.ts']);
    expect(await at('caf%E9')).toEqual(['caf%E9']);
    for (const nothing of ['nowhere/', '%', '%C', '../']) expect(await at(nothing), nothing).toEqual([]);
    const client = await served.client([top], { revision });
    for (const [path, text] of [
      ['caf%E9', 'odd\n'],
      ['src/two%3F.ts', 'two\n'],
    ])
      expect((await contentOf(client, `git:///${repo}?commit=${oid}&path=${path}`)).text).toBe(text);
  });
});

test('the arguments of prompts are completed as tools take them', async () => {
  const client = await served.client([top]);
  const completed = async (
    prompt: string,
    name: string,
    typed: string,
    given: Record<string, string> = {},
  ) => {
    const known = { repo_path: top, ...given };
    return (await client.complete({ type: 'ref/prompt', name: prompt }, { name, value: typed }, known))
      .values;
  };
  expect(await completed('review_range', 'base', 'fea')).toEqual(['feature/x']);
  expect(await completed('review_range', 'base', 'main...fea')).toEqual(['main...feature/x']);
  expect(await completed('review_range', 'repo_path', '')).toEqual([top]);
  expect(await completed('explain_conflict', 'path', 'src/o')).toEqual(['src/one.ts']);
  const [ann, bob] = ['Ann Example <ann@example.org>', 'Bob <bob@example.org>'];
  expect(await completed('summarize_branch', 'author', '')).toEqual([bob, ann]);
  expect(await completed('summarize_branch', 'author', 'ANN@')).toEqual([ann]);
  expect(await completed('summarize_branch', 'author', '', { branch: 'HEAD~' })).toEqual([ann]);
  expect(await completed('summarize_branch', 'author', '', { branch: 'none' })).toEqual([]);
});
