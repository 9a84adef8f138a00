import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, structuredRevisions, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('the text half of a small file is exactly its text', async () => {
    scene.put('a.txt', 'one\r\n\ttwo "quoted" \\ \u2028 é 😀\n\nlast');
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(content).toEqual([{ type: 'text', text: 'one\r\n\ttwo "quoted" \\ \u2028 é 😀\n\nlast' }]);
  });

  test('the result has a structured half exactly in revisions that have one', async () => {
    scene.put('a.txt', 'one\n');
    const client = await scene.client({ revision });
    const { result } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect('structuredContent' in result).toBe(structuredRevisions.includes(revision));
  });

  test('results of every size are exact', async () => {
    const client = await scene.client({ revision });
    for (const size of [1000, 16_383, 16_384, 17_000, 70_000]) {
      const text = scene.at('').repeat(size).slice(0, size);
      scene.put('a.txt', text);
      const read = await call(client, 'read_text_file', { path: 'a.txt' });
      expect(read.text === text, `${size} bytes`).toBe(true);
    }
  });

  test('a file is found by absolute path, relative path and URI', async () => {
    const path = scene.put('dir/a b#1.txt', 'here');
    const client = await scene.client({ revision });
    const uri = `file://${scene.root}/dir/a%20b%231.txt`;
    for (const given of [path, 'dir/a b#1.txt', './dir/../dir/a b#1.txt', uri]) {
      expect((await call(client, 'read_text_file', { path: given })).text, given).toBe('here');
    }
  });

  test('a binary file is refused, and the error names the tool that reads it', async () => {
    scene.put('a.bin', Buffer.from([1, 2, 0, 3]));
    const client = await scene.client({ revision });
    const refused = await call(client, 'read_text_file', { path: 'a.bin' });
    expect([refused.failed, refused.text]).toEqual([
      true,
      'not a text file: a.bin\ncall read_media_file to read its bytes',
    ]);
  });

  test('invalid bytes become U+FFFD and the text half has a note', async () => {
    scene.put('a.txt', Buffer.from([0x61, 0xe9, 0x62, 0x0a]));
    const client = await scene.client({ revision });
    const { text, words } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(text).toBe('a\uFFFDb\n');
    expect(words).toContain('not valid text');
  });
});

whereStructured((revision) => {
  test('the structured half has the text and all fields', async () => {
    scene.put('a.txt', 'one\ntwo\nthree');
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(facts).toEqual({
      path: 'a.txt',
      text: 'one\ntwo\nthree',
      startLine: 1,
      endLine: 3,
      totalLines: 3,
      size: 13,
      encoding: 'utf-8',
      etag: expect.stringMatching(/^\S+$/),
      truncated: false,
    });
  });

  test.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\nb\n', 2],
    ['a\n\n', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb\r', 1],
  ])('%j has %i lines', async (text, lines) => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect([facts.text, facts.totalLines, facts.endLine, facts.truncated]).toEqual([
      text,
      lines,
      lines,
      false,
    ]);
  });

  test('a byte order mark is not part of the text', async () => {
    scene.put('a.txt', '\uFEFFone\n');
    const client = await scene.client({ revision });
    const { facts, text } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect([facts.text, text, facts.encoding, facts.size]).toEqual(['one\n', 'one\n', 'utf-8', 7]);
  });

  test.each(['utf-16le', 'utf-16be'])('%s with a byte order mark is read as text', async (encoding) => {
    const little = Buffer.from('\uFEFFone é 😀\r\ntwo', 'utf16le');
    scene.put('a.txt', encoding === 'utf-16le' ? little : little.swap16());
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect([facts.text, facts.encoding, facts.totalLines, facts.lossy]).toEqual([
      'one é 😀\r\ntwo',
      encoding,
      2,
      undefined,
    ]);
  });

  test('UTF-16 with a lone surrogate is read and flagged', async () => {
    scene.put('a.txt', Buffer.concat([Buffer.from('\uFEFFab\ud83d', 'utf16le'), Buffer.of(0x61)]));
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect([facts.text, facts.lossy]).toEqual(['ab\uFFFD', true]);
  });

  test('lossy is set for invalid bytes only', async () => {
    scene.put('bad.txt', Buffer.from([0x61, 0xff, 0x0a]));
    scene.put('good.txt', 'a \uFFFD that is really there\n');
    const client = await scene.client({ revision });
    expect((await call(client, 'read_text_file', { path: 'bad.txt' })).facts.lossy).toBe(true);
    expect((await call(client, 'read_text_file', { path: 'good.txt' })).facts.lossy).toBeUndefined();
  });

  test('the etag changes when the file changes, and only then', async () => {
    scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    const etag = async () => (await call(client, 'read_text_file', { path: 'a.txt' })).facts.etag;
    const first = await etag();
    expect(await etag()).toBe(first);
    scene.put('a.txt', 'two!');
    expect(await etag()).not.toBe(first);
  });

  test('a link inside the root is read, with the requested path in the result', async () => {
    scene.put('a.txt', 'one');
    symlinkSync('a.txt', scene.at('link'));
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'link' });
    expect([facts.path, facts.text]).toEqual(['link', 'one']);
  });
});
