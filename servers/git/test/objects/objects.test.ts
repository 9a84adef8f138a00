import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesakes, openObjects, repository } from './open-objects.ts';

describe.each(['sha1', 'sha256'])('in a repository of %s', (format) => {
  const { folder, git, write, objects, head, blob } = repository(format);

  test('an object is found by its name, with type, size and bytes', async () => {
    const content = Buffer.from('a\nb\0\xff\r\n', 'latin1');
    const oid = blob(content);
    const info = { oid, type: 'blob', size: content.length };
    expect(await objects.info(oid)).toEqual(info);
    expect(await objects.contents(oid, 100)).toEqual({ ...info, bytes: content });
    expect(await objects.contents(blob(''), 0)).toEqual({
      oid: blob(''),
      type: 'blob',
      size: 0,
      bytes: Buffer.alloc(0),
    });
  });

  test('names with spaces, and with bytes that are no UTF-8, are found', async () => {
    const name = Buffer.from('caf\xe9 au lait', 'latin1');
    write('two words', 'x');
    const input = Buffer.concat([Buffer.from(`100644 blob ${blob('latin')}\t`), name, Buffer.from([0])]);
    const tree = git(folder, 'mktree', '-z', { input }).toString().trim();
    git(folder, 'add', '.');
    git(folder, 'commit', '-q', '-m', 'words');
    expect(await objects.info('HEAD:two words')).toMatchObject({ oid: blob('x') });
    expect(await objects.info(Buffer.concat([Buffer.from(`${tree}:`), name]))).toMatchObject({
      oid: blob('latin'),
    });
  });

  test('what is missing is undefined, also when its name looks like an answer', async () => {
    const names = [
      'nothing',
      'HEAD:nothing',
      `${head()} blob 3`,
      'x missing',
      '1'.repeat(head().length),
      'HEAD^{blob}',
    ];
    expect(await Promise.all(names.map((name) => objects.info(name)))).toEqual(names.map(() => undefined));
  });

  test('an object that is larger than wanted is told by its size, and its bytes are not kept', async () => {
    const oid = blob('x'.repeat(200_000));
    const reported = { oid, type: 'blob', size: 200_000, bytes: undefined };
    expect(await objects.contents(oid, 199_999)).toEqual(reported);
    const [large, next] = await Promise.all([objects.read(oid, 10), objects.info('HEAD')]);
    expect([large, next?.oid]).toEqual([reported, head()]);
    const chunks: Buffer[] = [];
    for await (const chunk of objects.stream(oid).chunks) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(Buffer.from('x'.repeat(200_000)))).toBe(true);
  });

  test('a hundred requests at once get their own answers', async () => {
    const contents = Array.from({ length: 100 }, (_, index) => `${index}`.repeat(index * 50));
    const oids = contents.map((content) => blob(content));
    const read = await Promise.all(oids.map((oid) => objects.read(oid, 1 << 20)));
    expect(read.map((answer) => answer?.bytes?.toString())).toEqual(contents);
  });
});

test('a name that would be two requests is refused, and so is one that git would cut', async () => {
  const { objects } = repository();
  for (const name of ['HEAD\ninfo HEAD', '\n', 'HEAD\0', 'HEAD\r', '', Buffer.from('HEAD:a\n')])
    await expect(objects.info(name)).rejects.toThrow(TypeError);
  expect(await objects.info('HEAD')).toBeDefined();
});

test('new commits, moved references and deleted ones are seen', async () => {
  const { folder, git, objects, head, commit } = repository();
  const first = head();
  expect((await objects.info('HEAD'))?.oid).toBe(first);
  const second = commit('two');
  expect((await objects.info('HEAD'))?.oid).toBe(second);
  git(folder, 'branch', 'side', first);
  expect((await objects.info('side'))?.oid).toBe(first);
  git(folder, 'branch', '-f', 'side', second);
  git(folder, 'pack-refs', '--all');
  expect((await objects.info('side'))?.oid).toBe(second);
  git(folder, 'branch', '-D', 'side');
  expect(await objects.info('side')).toBeUndefined();
});

test('what was pruned is gone, and what was repacked is found', async () => {
  const { folder, git, objects, head, commit, blob } = repository();
  const lost = blob('lost');
  git(folder, 'tag', 'keep', lost);
  git(folder, 'repack', '-adq');
  expect(await objects.contents(lost, 10)).toMatchObject({ bytes: Buffer.from('lost') });
  git(folder, 'tag', '-d', 'keep');
  git(folder, 'gc', '-q', '--prune=now');
  expect(await objects.info(lost)).toBeUndefined();
  const kept = head();
  commit('two');
  git(folder, 'repack', '-adq');
  expect(await objects.read(kept, 1000)).toMatchObject({ oid: kept });
});

test('a repository that was replaced by another shows nothing of the first', async () => {
  const { folder, git, objects, head, blob } = repository();
  const secret = blob('secret');
  git(folder, 'tag', 'keep', secret);
  git(folder, 'repack', '-adq');
  const first = head();
  expect(await objects.info(secret)).toBeDefined();
  rmSync(join(folder, '.git'), { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'other');
  expect(await Promise.all([objects.info(secret), objects.info(first)])).toEqual([undefined, undefined]);
  expect((await objects.info('HEAD'))?.oid).toBe(head());
});

test('a short name becomes ambiguous when a second object has it', async () => {
  const { objects, blob } = repository();
  const [one, other] = namesakes();
  const first = blob(one);
  const short = first.slice(0, 4);
  expect((await objects.info(short))?.oid).toBe(first);
  blob(other);
  await expect(objects.info(short)).rejects.toMatchObject({ code: 'ambiguous' });
});

test('a replacement is not honoured', async () => {
  const { folder, git, objects, blob } = repository();
  const oid = blob('true');
  git(folder, 'replace', oid, blob('false'));
  expect((await objects.contents(oid, 10))?.bytes?.toString()).toBe('true');
});

test('what a partial clone has not is missing, and nobody fetches it', async () => {
  const { folder, git, write, blob } = repository();
  const absent = blob('far away');
  write('file', 'far away');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'file');
  git(folder, 'config', 'uploadpack.allowFilter', 'true');
  git(folder, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const clone = join(folder, 'clone');
  git(folder, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${folder}`, clone);
  const marker = join(folder, 'fetched');
  const server = write('server', `#!/bin/sh\ntouch '${marker}'\nexec git-upload-pack "$@"\n`, 0o755);
  git(clone, 'config', 'remote.origin.uploadpack', server);
  const objects = openObjects(clone);
  expect(await Promise.all([objects.info(absent), objects.info('HEAD:file')])).toEqual([
    undefined,
    undefined,
  ]);
  expect(existsSync(marker)).toBe(false);
  git(clone, 'cat-file', '-e', absent);
  expect(existsSync(marker)).toBe(true);
});
