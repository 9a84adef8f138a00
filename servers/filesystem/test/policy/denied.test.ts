import { renameSync, symlinkSync } from 'node:fs';
import { defaultDeny } from '@rootbound/kit/boundary';
import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, structuredRevisions, whereStructured } from '../harness.ts';

const scene = new Scene();
const secrets = ['.env', 'top.key', '.git/config', '.ssh/id_rsa', 'a/.env.local', 'a/server.key', 'a/.git'];

beforeEach(() => {
  for (const path of secrets) scene.put(path, 'the needle');
  scene.put('a/open.txt', 'the needle');
  scene.put('.env.example', 'the needle');
  scene.put('build/secrets/x.txt', 'the needle');
});

/** Calls the listing tools; the tests of the searching tools are in their own folder. */
async function found(client: Client): Promise<Record<string, string>> {
  const calls: Record<string, [string, object]> = {
    listed: ['list_directory', { path: '.' }],
    'listed in order': ['list_directory', { path: '.', sort: 'size', details: true }],
    'listed inside': ['list_directory', { path: 'a' }],
    'under its former name': ['list_directory_with_sizes', { path: '.' }],
  };
  const results: Record<string, string> = {};
  for (const [what, [tool, args]] of Object.entries(calls)) {
    const { failed, result, text } = await call(client, tool, { ...args });
    expect(failed, `${what}: ${text}`).toBe(false);
    results[what] = JSON.stringify(result);
  }
  return results;
}

const names = /top\.key|\.env(?!\.example)|\.git|\.ssh|id_rsa|server\.key/;

inEveryRevision((revision) => {
  test('by default secrets and .git are not listed', async () => {
    const client = await scene.client({ revision });
    for (const [what, text] of Object.entries(await found(client))) {
      expect(text, what).not.toMatch(names);
      if (what !== 'listed inside') expect(text, what).toMatch(/build|open\.txt|\.env\.example/);
    }
  });

  test('--no-default-deny lists them, and --deny hides the names of its patterns', async () => {
    const extra = { 'no-default-deny': true, deny: ['build/secrets', 'open.*'] };
    const client = await scene.client({ revision, extra });
    const { listed, 'listed inside': inside } = await found(client);
    expect(listed).toMatch(/\.ssh/);
    expect(inside).toMatch(/server\.key/);
    expect(inside).not.toMatch(/open/);
    expect((await call(client, 'list_directory', { path: 'build' })).text).not.toMatch(/secrets/);
    for (const path of secrets)
      expect((await call(client, 'read_text_file', { path })).text, path).toBe('the needle');
    for (const path of ['build/secrets/x.txt', 'build/secrets', 'a/open.txt'])
      expect((await call(client, 'read_text_file', { path })).code, path).toBe('not-found');
  });

  test('--deny adds to the default patterns, and ! makes exceptions from them', async () => {
    const client = await scene.client({ revision, extra: { deny: ['!server.key', 'build/secrets'] } });
    expect((await call(client, 'read_text_file', { path: 'a/server.key' })).failed).toBe(false);
    expect((await call(client, 'read_text_file', { path: '.env' })).failed).toBe(true);
    expect((await call(client, 'read_text_file', { path: 'build/secrets/x.txt' })).failed).toBe(true);
  });

  test('list_allowed_directories returns the denied patterns and the settings for changes', async () => {
    const extra = { deny: ['build/secrets'], 'allow-delete': true, trash: true, fsync: true };
    const client = await scene.client({ revision, extra: { ...extra, 'hard-links': 'refuse' } });
    const { text, result } = await call(client, 'list_allowed_directories');
    expect(text).toContain(`[denied: ${[...defaultDeny, 'build/secrets'].join(' ')}]`);
    expect(text).toContain('[delete: trash; confirm: delete; hard links: refuse; fsync: on]');
    if (structuredRevisions.includes(revision))
      expect(result.structuredContent).toMatchObject({
        denied: [...defaultDeny, 'build/secrets'],
        changes: { delete: 'trash', confirm: 'delete', hardLinks: 'refuse', fsync: true },
      });
  });
});

test.each<[object, boolean, string]>([
  [{}, false, 'off'],
  [{ 'allow-delete': true }, false, 'permanent'],
  [{ 'allow-delete': true }, true, 'off'],
  [{ trash: true }, false, 'trash'],
])('with %j and read-only %s the delete setting is %s', async (extra, readOnly, expected) => {
  const client = await scene.client({ extra, readOnly });
  const { result } = await call(client, 'list_allowed_directories');
  expect(result.structuredContent).toMatchObject({ changes: { delete: expected } });
});

whereStructured((revision) => {
  test('a long list of patterns is cut at its share of the size limit, and the rest is counted', async () => {
    const deny = Array.from({ length: 500 }, (_, index) => `*.secret-${index}`);
    const client = await scene.client({
      revision,
      maxOutput: 1024,
      extra: { 'no-default-deny': true, deny },
    });
    const { result, text } = await call(client, 'list_allowed_directories');
    const { content, structured } = halves(result);
    expect(Math.max(content, structured)).toBeLessThanOrEqual(1024);
    const { denied, deniedLeftOut } = result.structuredContent as { denied: string[]; deniedLeftOut: number };
    expect(denied.length).toBeGreaterThan(5);
    expect(denied.length + deniedLeftOut).toBe(500);
    expect(text).toContain(`and ${deniedLeftOut} more]`);
    expect(result.structuredContent).toMatchObject({ truncated: true });
  });
});

test('without denied patterns the text says so', async () => {
  const client = await scene.client({ extra: { 'no-default-deny': true } });
  const { text, result } = await call(client, 'list_allowed_directories');
  expect(text).toContain('[nothing is denied by name]');
  expect(result.structuredContent).toMatchObject({ denied: [] });
});

describe('a root of the command line', () => {
  test('that the patterns deny is served, without denied entries in it', async () => {
    const client = await scene.client({ roots: [{ path: scene.at('.git'), readOnly: true }] });
    scene.put('.git/.env', 'x');
    expect((await call(client, 'read_text_file', { path: 'config' })).text).toBe('the needle');
    expect((await call(client, 'read_text_file', { path: '.env' })).failed).toBe(true);
  });
});

test('a file renamed to a denied name is missing, and exists again under an allowed name', async () => {
  const client = await scene.client();
  const read = async (path: string): Promise<boolean> =>
    !(await call(client, 'read_text_file', { path })).failed;
  expect(await read('a/open.txt')).toBe(true);
  renameSync(scene.at('a/open.txt'), scene.at('a/open.pem'));
  symlinkSync('open.pem', scene.at('a/open.txt'));
  expect([await read('a/open.txt'), await read('a/open.pem')]).toEqual([false, false]);
  renameSync(scene.at('a/open.pem'), scene.at('a/open.md'));
  expect(await read('a/open.md')).toBe(true);
});

test('a directory resource omits denied names', async () => {
  const client = await scene.client();
  const { contents } = await client.readResource(`file://${scene.root}`);
  expect(JSON.stringify(contents)).toContain('.env.example');
  expect(JSON.stringify(contents)).not.toMatch(names);
  expect(JSON.stringify(await client.listResources())).not.toMatch(names);
});

test('read_multiple_files reports denied files as missing', async () => {
  const client = await scene.client();
  const { facts } = await call(client, 'read_multiple_files', { paths: ['.env', 'none', 'a/open.txt'] });
  const [denied, missing, open] = facts.files;
  expect(denied!.error).toBe(missing!.error?.replace('none', '.env'));
  expect(open!.text).toBe('the needle');
});

test('a copy of a folder skips denied entries, and a recursive deletion of it is refused', async () => {
  const client = await scene.client({ extra: { 'allow-delete': true, confirm: 'never' } });
  expect((await call(client, 'copy_file', { source: 'a', destination: 'b' })).failed).toBe(false);
  expect(scene.names(scene.at('b'))).toEqual(['open.txt']);
  expect((await call(client, 'delete_file', { path: 'a', recursive: true })).failed).toBe(true);
  expect(scene.names(scene.at('a'))).toEqual(['.env.local', '.git', 'open.txt', 'server.key']);
});
