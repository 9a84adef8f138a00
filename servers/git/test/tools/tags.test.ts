import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { call, Served, structuredRevisions } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { everyPage } from './pages.ts';

const served = new Served();

interface Tags {
  tags: { name: string; message?: string; message_truncated?: boolean }[];
}

function repository(): Scratch & { oid(revision: string): string } {
  const made = scratch();
  const { folder, git } = made;
  git(folder, 'init', '-q');
  git(folder, 'commit', '-qm', 'one', '--allow-empty');
  return { ...made, oid: (revision) => git(folder, 'rev-parse', revision).toString().trim() };
}

const namesOf = ({ tags }: Tags) => tags.map(({ name }) => name);

describe.each(allRevisions)('in %s', (revision) => {
  test('tags tell what they are of, and annotated ones on request what they say', async () => {
    const { folder, git, oid } = repository();
    git(folder, 'tag', '-a', '-m', 'The first\n\nNotes', 'v1');
    git(folder, 'tag', 'v2');
    const client = await served.client([folder], { revision });
    const { text, facts, failed } = await call(client, 'git_list', { kind: 'tags', messages: true });
    const at = oid('HEAD');
    const when = '2026-01-01T00:03:00+00:00';
    expect([failed, text]).toEqual([
      false,
      `v1 ${at.slice(0, 12)} annotated ${when} Ann Example <ann@example.org>\n    The first\n\n    Notes\nv2 ${at.slice(0, 12)}`,
    ]);
    if (structuredRevisions.includes(revision))
      expect(facts).toEqual({
        tags: [
          {
            ...{ name: 'v1', target: at, type: 'commit', annotation: oid('v1'), date: when },
            tagger: 'Ann Example <ann@example.org>',
            message: 'The first\n\nNotes',
          },
          { name: 'v2', target: at, type: 'commit' },
        ],
        total: 2,
        truncated: false,
      });
  });
});

test('the newest version or the newest tag is the first on request', async () => {
  const { folder, git } = repository();
  for (const name of ['v1.10', 'v1.9', 'v1.2']) {
    git(folder, 'commit', '-qm', name, '--allow-empty');
    git(folder, 'tag', '-am', name, name);
  }
  const client = await served.client([folder]);
  const ask = async (args: object) =>
    namesOf((await call<Tags>(client, 'git_list', { kind: 'tags', ...args })).facts);
  expect(await ask({})).toEqual(['v1.10', 'v1.2', 'v1.9']);
  expect(await ask({ sort: 'version' })).toEqual(['v1.10', 'v1.9', 'v1.2']);
  expect(await ask({ sort: 'date' })).toEqual(['v1.2', 'v1.9', 'v1.10']);
  expect(await ask({ contains: 'v1.9' })).toEqual(['v1.2', 'v1.9']);
  expect(await ask({ pattern: 'v1.1*' })).toEqual(['v1.10']);
});

test('a tag may be of a file, and a repository may have none', async () => {
  const { folder, git, oid } = repository();
  const client = await served.client([folder]);
  expect((await call(client, 'git_list', { kind: 'tags' })).text).toBe('no such tags');
  const blob = git(folder, 'hash-object', '-w', '--stdin', { input: 'key' }).toString().trim();
  git(folder, 'tag', 'key', blob);
  const { text, facts } = await call<Tags>(client, 'git_list', { kind: 'tags' });
  expect(facts.tags).toEqual([{ name: 'key', target: blob, type: 'blob' }]);
  expect(text).toBe(`key ${oid('key').slice(0, 12)} (blob)`);
});

test('a message that is long is cut and says so, and its control characters stay out of the text', async () => {
  const { folder, git } = repository();
  git(folder, 'tag', '-a', '-F', '-', 'long', { input: 'x'.repeat(10_000) });
  git(folder, 'tag', '-a', '-F', '-', 'longest', { input: 'x'.repeat(100_000) });
  git(folder, 'tag', '-a', '-m', 'a\u001b[31mb', 'odd');
  const client = await served.client([folder]);
  const { text, facts } = await call<Tags>(client, 'git_list', { kind: 'tags', messages: true });
  expect(facts.tags[0]).toMatchObject({ message: 'x'.repeat(2000), message_truncated: true });
  expect(facts.tags[1]).toMatchObject({ name: 'longest', message_truncated: true });
  expect(facts.tags[2]!.message).toBe('a\u001b[31mb');
  expect(text).toMatch(/ {4}a\\u001b\[31mb$/);
});

test('tags continue where they stopped, with their messages and without', async () => {
  const { folder, git } = repository();
  const names = Array.from({ length: 230 }, (_, index) => `t${String(index).padStart(3, '0')}`);
  const tag = (name: string) => {
    const message = `Says ${name}\n`;
    return `tag ${name}\nfrom refs/heads/main\ntagger A <a@b> 1 +0000\ndata ${message.length}\n${message}`;
  };
  git(folder, 'fast-import', '--quiet', { input: names.map(tag).join('') });
  const client = await served.client([folder], { maxOutput: 8192 });
  const plain = await everyPage<{ name: string }>(client, 'git_list', 'tags', 8192, { kind: 'tags' });
  expect(plain.map(({ name }) => name)).toEqual(names);
  const reported = await everyPage<{ message: string }>(client, 'git_list', 'tags', 8192, {
    kind: 'tags',
    messages: true,
  });
  expect(reported.map(({ message }) => message)).toEqual(names.map((name) => `Says ${name}`));
  const roomy = await served.client([folder]);
  const all = await everyPage<{ name: string }>(roomy, 'git_list', 'tags', 102_400, {
    kind: 'tags',
    messages: true,
  });
  expect(all).toHaveLength(names.length);
});
