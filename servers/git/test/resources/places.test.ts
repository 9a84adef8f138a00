import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { parseGitUri, toGitUri } from '../../src/call/git-uri.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { factsOf, refusal } from './reading.ts';

const served = new Served();
const { folder, git, write } = scratch();

/** Reads what was found, and what that links to. */
async function readOn(client: Client, uris: readonly string[]): Promise<string[]> {
  const seen = new Set(uris);
  for (const uri of seen) {
    const { contents } = await client.readResource(uri);
    const { mimeType, text = '' } = contents[0] as { mimeType?: string; text?: string };
    if (mimeType !== 'application/json') continue;
    const { links = {} } = JSON.parse(text) as { links?: Record<string, string> };
    for (const link of Object.values(links)) seen.add(link);
  }
  return [...seen];
}

function make(name: string, ...options: string[]): string {
  const top = join(folder, name);
  mkdirSync(top, { recursive: true });
  git(top, 'init', ...options);
  return top;
}

const hostile = make('a b?c#d%20{e}&f=g');
write('a b?c#d%20{e}&f=g/x', 'x\n');
git(hostile, 'add', '.');
git(hostile, 'commit', '-m', 'one');
const tree = join(folder, 'linked');
git(hostile, 'worktree', 'add', '-b', 'side', tree);
const bare = join(folder, 'bare.git');
git(folder, 'clone', '--bare', hostile, bare);
const sha256 = make('sha256', '--object-format=sha256');
git(sha256, 'commit', '--allow-empty', '-m', 'one');
const unborn = make('unborn');
const elsewhere = make('elsewhere');
mkdirSync(join(folder, 'work'));
git(elsewhere, 'config', 'core.worktree', join(folder, 'work'));
const all = [hostile, tree, bare, sha256, unborn, elsewhere];

describe.each(allRevisions)('in %s', (revision) => {
  test('all repositories in the roots are listed, and every URI that is named can be read', async () => {
    const client = await served.client([folder], { revision });
    const listed = (await client.listResources()).map(({ uri }) => uri);
    const tops = listed.map((uri) => parseGitUri(uri)).filter((found) => found?.target.kind === 'repository');
    expect(new Set(tops.map((found) => found?.repository))).toEqual(new Set(all));
    expect(tops).toHaveLength(all.length);
    const read = await readOn(client, listed);
    expect(read).toContain(`${toGitUri(bare)}?refs`);
    expect(read.filter((uri) => uri.includes('?diff=')).length).toBeGreaterThan(3);
    expect(served.faults).toEqual([]);
  });

  test('a bare repository has no state of a work tree, and an unborn branch no commit', async () => {
    const client = await served.client([folder], { revision });
    for (const query of ['?status', '?index', '?stash'])
      expect((await refusal(client, toGitUri(bare) + query)).message, query).toBe('resource not found');
    const facts = await factsOf(client, `${toGitUri(unborn)}?ref=HEAD`);
    expect(facts).toEqual({ name: 'HEAD', branch: 'main', unborn: true, links: {} });
    expect(await factsOf(client, `${toGitUri(unborn)}?index`)).toEqual({ staged: [] });
  });

  test('a linked worktree has a HEAD of its own and the refs of all', async () => {
    const client = await served.client([folder], { revision });
    const { kind, head } = await factsOf(client, toGitUri(tree));
    expect([kind, head]).toMatchObject(['linked-worktree', { branch: 'side' }]);
    const { refs } = await factsOf(client, `${toGitUri(tree)}?refs`);
    expect((refs as { name: string }[]).map(({ name }) => name)).toEqual([
      'refs/heads/main',
      'refs/heads/side',
    ]);
    // its git dir is outside now
    const alone = await served.client([tree], { revision });
    expect((await refusal(alone, toGitUri(tree))).message).toBe('resource not found');
    expect(await alone.listResources()).toEqual([]);
  });

  test('a repository that is reached by a link is read, and has no second listing', async () => {
    const roots = [join(folder, 'way')];
    mkdirSync(roots[0]!, { recursive: true });
    const link = join(folder, `to-${revision}`);
    symlinkSync(hostile, link, 'dir');
    const client = await served.client([folder], { revision });
    expect(await factsOf(client, toGitUri(link))).toMatchObject({ path: hostile });
    const listed = await client.listResources();
    expect(listed.filter(({ uri }) => uri === toGitUri(link))).toEqual([]);
    const apart = await served.client(roots, { revision });
    expect((await refusal(apart, toGitUri(link))).message).toBe('resource not found');
  });
});

test('a list of many repositories comes in pages', async () => {
  const many = scratch();
  for (let index = 0; index < 126; index++) {
    const at = `${index}.git`;
    many.write(`${at}/HEAD`, 'ref: refs/heads/main\n');
    many.write(`${at}/config`, '[core]\n\tbare = true\n');
    for (const name of ['objects', 'refs']) mkdirSync(join(many.folder, at, name));
  }
  const client = await served.client([many.folder]);
  const page = await client.request('resources/list', {});
  expect([page.resources.length, page.nextCursor]).toEqual([250, expect.any(String)]);
  expect(await client.listResources()).toHaveLength(252);
});
