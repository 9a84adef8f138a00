import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { toGitUri } from '../../src/call/git-uri.ts';
import { emptyTree } from '../../src/porcelain/diff.ts';
import type { Oid } from '../../src/run/oid.ts';
import { call, newest, Served, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { contentOf, factsOf, refusal } from './reading.ts';

const served = new Served();
const { folder, git, write } = scratch();
const top = join(folder, 'plain');
const uri = toGitUri(top);
const idOf = (name: string, at = top): Oid => git(at, 'rev-parse', name).toString().trim() as Oid;
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');

mkdirSync(top);
git(top, 'init');
write('plain/src/a.ts', 'export const a = 1;\n');
write('plain/logo.png', png);
write('plain/latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
symlinkSync('src/a.ts', join(top, 'link'));
const odd = git(top, 'hash-object', '-w', '--stdin', { input: 'odd\n' }).toString().trim();
git(top, 'add', '.');
git(top, 'update-index', '--index-info', {
  input: Buffer.from(`100644 ${odd}\tcaf\xe9 ?#%{}.txt\n`, 'latin1'),
});
git(top, 'commit', '-m', 'first\n\nwith a body');
const first = idOf('HEAD');
write('plain/src/a.ts', 'export const a = 2;\n');
git(top, 'commit', '-am', 'second');
const second = idOf('HEAD');
git(top, 'tag', '-a', 'v1', '-m', 'one', first);
write('plain/src/a.ts', 'export const a = 3;\n');
git(top, 'stash');
write('plain/new.txt', 'new\n');
git(top, 'add', 'new.txt');

const large = join(folder, 'large');
mkdirSync(large);
git(large, 'init');
for (let index = 0; index < 30; index++) write(`large/f${index}`, '');
write('large/long', 'line\n'.repeat(1000));
git(large, 'add', '.');
git(large, 'commit', '-qF', '-', { input: `${'word '.repeat(20_480)}\n` });

describe.each(allRevisions)('in %s', (revision) => {
  const open = (roots: readonly string[] = [folder], setting = {}) =>
    served.client(roots, { revision, ...setting });
  const notFound = revision === newest ? -32602 : -32002;

  test('a repository says what it is and links to what else can be read of it', async () => {
    const client = await open();
    const facts = await factsOf(client, uri);
    expect(facts).toMatchObject({
      path: top,
      kind: 'normal',
      head: { branch: 'main', commit: second },
      operations: [],
    });
    const links = facts.links as Record<string, string>;
    expect(Object.keys(links)).toEqual(['status', 'index', 'stash', 'operation', 'refs', 'commit']);
    for (const link of Object.values(links)) expect(await factsOf(client, link)).toBeDefined();
  });

  test('status, index, stash and refs are told as they are', async () => {
    const client = await open();
    expect(await factsOf(client, `${uri}?status`)).toEqual({
      branch: 'main',
      commit: second,
      stashes: 1,
      clean: false,
      entries: [{ path: 'new.txt', kind: 'changed', index: 'A' }],
    });
    expect(await factsOf(client, `${uri}?index`)).toEqual({
      staged: [{ path: 'new.txt', change: 'added', mode: '100644', oid: idOf(':new.txt') }],
    });
    expect(await factsOf(client, `${uri}?stash`)).toMatchObject({
      stashes: [{ name: 'stash@{0}', commit: idOf('refs/stash'), branch: 'main' }],
    });
    const { head, refs } = await factsOf(client, `${uri}?refs`);
    expect(head).toEqual({ branch: 'main', commit: second });
    expect((refs as { name: string }[]).map(({ name }) => name)).toEqual([
      'refs/heads/main',
      'refs/stash',
      'refs/tags/v1',
    ]);
  });

  test('a ref is found by its whole name alone', async () => {
    const client = await open();
    expect(await factsOf(client, `${uri}?ref=HEAD`)).toMatchObject({ branch: 'main', commit: second });
    expect(await factsOf(client, `${uri}?ref=refs/tags/v1`)).toEqual({
      name: 'refs/tags/v1',
      oid: idOf('v1'),
      type: 'tag',
      target: { oid: first, type: 'commit' },
      links: { commit: `${uri}?commit=${first}` },
    });
    for (const name of ['main', 'refs/heads', 'refs/heads/mai', 'refs/heads/x*', 'refs/heads/main~1'])
      expect((await refusal(client, `${uri}?ref=${name}`)).code, name).toBe(notFound);
  });

  test('a commit leads to its tree, that to its blobs, and each is what git has', async () => {
    const client = await open();
    const commit = await factsOf(client, `${uri}?commit=${first}`);
    expect(commit).toMatchObject({
      oid: first,
      parents: [],
      author: { name: 'Ann Example', email: 'ann@example.org' },
      message: 'first\n\nwith a body\n',
    });
    const links = commit.links as { tree: string; diff: string };
    const { entries } = await factsOf(client, links.tree);
    const names = (entries as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['"caf\\351 ?#%{}.txt"', 'latin.txt', 'link', 'logo.png', 'src']);
    const ofLogo = await contentOf(client, `${uri}?blob=${idOf('HEAD:logo.png')}`);
    expect([ofLogo.mimeType, ofLogo.blob]).toEqual(['image/png', png.toString('base64')]);
    const patch = await contentOf(client, links.diff);
    expect(patch.mimeType).toBe('text/x-diff');
    // bytes that are no UTF-8 stay as they are
    expect(Buffer.from(patch.blob ?? '', 'base64').includes(Buffer.from('+caf\xe9\n', 'latin1'))).toBe(true);
    const next = await contentOf(client, `${uri}?diff=${first}..${second}`);
    expect(next.text).toContain('-export const a = 1;\n+export const a = 2;\n');
  });

  test('a file of a commit has the type of its name, a folder its entries, and names may be any bytes', async () => {
    const client = await open();
    const at = (path: string) => `${uri}?commit=${first}&path=${path}`;
    expect(await contentOf(client, at('src/a.ts'))).toEqual({
      uri: at('src/a.ts'),
      mimeType: 'text/x-typescript',
      text: 'export const a = 1;\n',
    });
    const ofLatin = await contentOf(client, at('latin.txt'));
    expect(Buffer.from(ofLatin.blob ?? '', 'base64').toString('latin1')).toBe('caf\xe9\n');
    expect(await contentOf(client, at('link'))).toMatchObject({
      mimeType: 'inode/symlink',
      text: 'src/a.ts',
    });
    expect((await contentOf(client, at('caf%E9%20%3F%23%25%7B%7D.txt'))).text).toBe('odd\n');
    expect(await factsOf(client, at('src'))).toMatchObject({ entries: [{ name: 'a.ts', type: 'blob' }] });
    expect(await factsOf(client, at(''))).toMatchObject({ oid: idOf('HEAD~1^{tree}') });
  });

  test('what is missing, outside, of another kind or no URI of ours looks the same', async () => {
    const client = await open([top]);
    const outside = scratch();
    git(outside.folder, 'init');
    symlinkSync(outside.folder, join(top, 'out'), 'dir');
    const blob = idOf('HEAD:latin.txt');
    const gone = 'f'.repeat(40);
    for (const wrong of [
      toGitUri(outside.folder),
      toGitUri(join(top, 'out')),
      toGitUri(join(top, 'nowhere')),
      toGitUri(join(top, 'src')),
      `${toGitUri(join(top, 'src'))}?status`,
      'git:///',
      `${uri}?`,
      `${uri}?other`,
      `${uri}?commit=${gone}`,
      `${uri}?commit=${first.slice(0, 12)}`,
      `${uri}?commit=main`,
      `${uri}?commit=--output=x`,
      `${uri}?commit=${blob}`,
      `${uri}?tree=${first}`,
      `${uri}?blob=${first}`,
      `${uri}?diff=${blob}..${first}`,
      `${uri}?diff=${gone}..${first}`,
      `${uri}?commit=${first}&path=src/b.ts`,
      `${uri}?commit=${first}&path=../x`,
      `${uri}?commit=${first}&path=%00`,
    ]) {
      const { code, message } = await refusal(client, wrong);
      expect([code, message], wrong).toEqual([notFound, 'resource not found']);
    }
    git(top, 'clean', '-fq', 'out');
  });

  test('what does not fit is refused with the tool that pages it, and read where there is room', async () => {
    const head = idOf('HEAD', large);
    const at = toGitUri(large);
    const client = await open([folder], { maxOutput: 2000 });
    for (const [query, tool] of [
      [`?commit=${head}`, 'git_show'],
      [`?tree=${idOf('HEAD^{tree}', large)}`, 'git_list_files'],
      [`?blob=${idOf('HEAD:long', large)}`, 'git_show'],
      [`?commit=${head}&path=long`, 'git_read_file'],
      [`?diff=${emptyTree('sha1')}..${head}`, 'git_diff'],
    ] as const) {
      const { code, message } = await refusal(client, at + query);
      expect([code, message], query).toEqual([
        -32602,
        expect.stringContaining(`; ${tool} gives it in parts`),
      ]);
    }
    const roomy = await open([folder], { maxOutput: 1_000_000 });
    const { message } = await factsOf(roomy, `${at}?commit=${head}`);
    expect((message as string).trimEnd()).toBe('word '.repeat(20_480).trimEnd());
  });
});

test('what ids name may be kept for long by who read it, and all else not at all', async () => {
  const client = await served.client([folder]);
  const hintsOf = async (query: string) => {
    const { ttlMs, cacheScope } = await client.readResource(uri + query);
    return [ttlMs, cacheScope];
  };
  for (const query of [
    `?commit=${first}`,
    `?commit=${first}&path=src`,
    `?tree=${idOf('HEAD^{tree}')}`,
    `?blob=${idOf('HEAD:latin.txt')}`,
    `?diff=${first}..${second}`,
  ])
    expect(await hintsOf(query), query).toEqual([86_400_000, 'private']);
  for (const query of ['', '?status', '?index', '?stash', '?operation', '?refs', '?ref=HEAD'])
    expect(await hintsOf(query), query).toEqual([0, 'private']);
});

test.each(structuredRevisions)(
  'in %s, a tool that leaves out binary contents links to them',
  async (revision) => {
    for (const maxOutput of [102_400, 500]) {
      const client = await served.client([top], { revision, maxOutput });
      for (const [name, args] of [
        ['git_read_file', { path: 'logo.png' }],
        ['git_show', { revision: 'HEAD:logo.png' }],
      ] as const) {
        const { result } = await call(client, name, args);
        const links = result.content.flatMap((block) => (block.type === 'resource_link' ? [block] : []));
        expect([links.length, links[0]?.size], name).toEqual([1, png.length]);
        expect((await contentOf(client, links[0]!.uri)).blob).toBe(png.toString('base64'));
      }
    }
    const client = await served.client([top], { revision, maxOutput: 300 });
    const { result } = await call(client, 'git_show', { revision: 'HEAD:logo.png' });
    expect(result.content.map(({ type }) => type)).toEqual(['text']);
  },
);
