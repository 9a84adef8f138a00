import { linkSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('base64 is written as exactly its bytes', async () => {
    const client = await scene.client({ revision });
    for (const hex of ['', 'ff', '00ff', 'c3a90a', '89504e47', 'ff'.repeat(3000)]) {
      const bytes = Buffer.from(hex, 'hex');
      const content = bytes.toString('base64');
      const { text } = await call(client, 'write_file', { path: 'a.bin', content, encoding: 'base64' });
      expect(text).toMatch(new RegExp(`^(created|replaced) a\\.bin, ${bytes.length} bytes, etag \\S+$`));
      expect(scene.bytes('a.bin').equals(bytes)).toBe(true);
    }
    expect(scene.names()).toEqual(['a.bin']);
  });

  test('invalid base64 is refused and writes nothing', async () => {
    const client = await scene.client({ revision });
    for (const content of [
      'a',
      'ab',
      'abc',
      'YQ',
      'YQ=',
      'YR==',
      'YWK=',
      'YQ==YQ==',
      'Y Q=',
      'YQ\n=',
      '-_-_',
      'é===',
    ]) {
      const refused = await call(client, 'write_file', {
        path: 'none/a.bin',
        content,
        encoding: 'base64',
        createParents: true,
      });
      expect([content, refused.failed, refused.code]).toEqual([content, true, 'invalid-arguments']);
      expect(refused.text).toMatch(/^content is not base64: [^\n]+$/);
    }
    expect(scene.names()).toEqual([]);
  });

  test('append adds at the end, in place, and creates a missing file', async () => {
    const client = await scene.client({ revision });
    const append = (content: string) => call(client, 'write_file', { path: 'log', content, append: true });
    expect((await append('one\n')).text).toMatch(/^created log, 4 bytes, etag \S+$/);
    const { ino } = statSync(scene.at('log'));
    expect((await append('two\n')).text).toMatch(/^appended to log, 4 bytes, now 8, etag \S+$/);
    expect([scene.bytes('log').toString(), statSync(scene.at('log')).ino, scene.names()]).toEqual([
      'one\ntwo\n',
      ino,
      ['log'],
    ]);
  });

  test('text is appended to UTF-16 in UTF-16, bytes as they are', async () => {
    scene.put('a.txt', Buffer.from('\ufeffa', 'utf16le'));
    const client = await scene.client({ revision });
    const appended = await call(client, 'write_file', { path: 'a.txt', content: 'b\u00e9', append: true });
    expect(appended.text).toMatch(/^appended to a\.txt, 4 bytes, now 8, UTF-16LE kept, etag \S+$/);
    const content = Buffer.from('c', 'utf16le').toString('base64');
    const bytes = { path: 'a.txt', content, append: true, encoding: 'base64' };
    expect((await call(client, 'write_file', bytes)).text).not.toContain('kept');
    expect(scene.bytes('a.txt').toString('utf16le')).toBe('\ufeffab\u00e9c');
  });

  test('createParents creates missing directories, and an exclusive write replaces nothing', async () => {
    const client = await scene.client({ revision });
    const made = await call(client, 'write_file', { path: 'a/b/c.txt', content: 'x', createParents: true });
    expect([made.failed, scene.bytes('a/b/c.txt').toString()]).toEqual([false, 'x']);
    const again = await call(client, 'write_file', { path: 'a/b/c.txt', content: 'y', exclusive: true });
    expect([again.code, scene.bytes('a/b/c.txt').toString()]).toEqual(['exists', 'x']);
    const free = await call(client, 'write_file', { path: 'a/new.txt', content: 'y', exclusive: true });
    expect([free.failed, scene.names(scene.at('a'))]).toEqual([false, ['b', 'new.txt']]);
    const both = await call(client, 'write_file', {
      path: 'a/x',
      content: '',
      exclusive: true,
      append: true,
    });
    expect([both.code, both.text]).toEqual(['invalid-arguments', 'set only one of append and exclusive']);
  });
});

whereStructured((revision) => {
  test('the structured half of an append has the size, and its etag is valid for the next', async () => {
    const client = await scene.client({ revision });
    const append = (ifMatch?: string) =>
      call(client, 'write_file', {
        path: 'log',
        content: 'line\n',
        append: true,
        ...(ifMatch && { ifMatch }),
      });
    const first = await append();
    expect(first.facts).toEqual({ path: 'log', created: true, bytes: 5, size: 5, etag: expect.any(String) });
    const second = await append(first.facts.etag);
    expect(second.facts).toEqual({
      path: 'log',
      created: false,
      bytes: 5,
      size: 10,
      etag: expect.any(String),
    });
    expect((await append(first.facts.etag)).code).toBe('changed');
    expect(scene.bytes('log').toString()).toBe('line\nline\n');
  });

  test('a write reports the number of other hard links that keep the old content', async () => {
    scene.put('a.txt', 'old');
    linkSync(scene.at('a.txt'), join(scene.outside, 'same.txt'));
    const client = await scene.client({ revision });
    const { facts, text } = await call(client, 'write_file', { path: 'a.txt', content: 'new' });
    expect(facts).toMatchObject({ created: false, brokenLinks: 1 });
    expect(text).toMatch(/^replaced a\.txt, 3 bytes, 1 other hard link keeps the old content, etag \S+$/);
    linkSync(join(scene.outside, 'same.txt'), scene.at('b.txt'));
    const appended = await call(client, 'write_file', { path: 'b.txt', content: '!', append: true });
    expect(appended.facts).toMatchObject({ size: 4, brokenLinks: 1 });
    expect(readFileSync(join(scene.outside, 'same.txt'), 'utf8')).toBe('old');
  });

  test('with --hard-links refuse, every change of a file with other hard links is refused', async () => {
    scene.put('a.txt', 'old');
    linkSync(scene.at('a.txt'), scene.at('same.txt'));
    const client = await scene.client({ revision, extra: { 'hard-links': 'refuse' } });
    const calls: [string, object][] = [
      ['write_file', { path: 'a.txt', content: 'new' }],
      ['write_file', { path: 'a.txt', content: 'new', append: true }],
      ['copy_file', { source: 'a.txt', destination: 'b.txt' }],
      ['set_file_attributes', { path: 'a.txt', mode: '600' }],
    ];
    for (const [tool, args] of calls) {
      const { code, text } = await call(client, tool, { ...args });
      expect([tool, code, text.split('\n')[0]]).toEqual([tool, 'linked', 'has other hard links: a.txt']);
    }
    expect([scene.bytes('a.txt').toString(), scene.names()]).toEqual(['old', ['a.txt', 'same.txt']]);
  });

  test('with --fsync all changes have the same results', async () => {
    const client = await scene.client({ revision, extra: { fsync: true, 'allow-delete': true } });
    const calls: [string, object][] = [
      ['create_directory', { path: 'a/b' }],
      ['write_file', { path: 'a/b/c.txt', content: 'one' }],
      ['write_file', { path: 'a/b/c.txt', content: 'two', append: true }],
      ['copy_file', { source: 'a', destination: 'd' }],
      ['move_file', { source: 'd', destination: 'e' }],
      ['set_file_attributes', { path: 'e/b/c.txt', mode: '600' }],
      ['delete_file', { path: 'a', recursive: true }],
    ];
    for (const [tool, args] of calls)
      expect((await call(client, tool, { ...args })).failed, tool).toBe(false);
    expect([scene.names(), scene.bytes('e/b/c.txt').toString()]).toEqual([['e'], 'onetwo']);
  });
});
