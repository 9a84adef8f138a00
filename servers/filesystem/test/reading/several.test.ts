import { linkSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('the text half has each file after its path, and the errors of the others', async () => {
    scene.put('a.txt', 'one\n');
    scene.put('b.bin', Buffer.from([0, 1]));
    const client = await scene.client({ revision });
    const { failed, text } = await call(client, 'read_multiple_files', {
      paths: ['a.txt', 'none.txt', 'b.bin', '../x'],
    });
    expect([failed, text]).toEqual([
      false,
      [
        'a.txt:\none\n',
        'none.txt: no such file or folder: none.txt; it does not exist or is outside the allowed roots',
        'b.bin: not a text file: b.bin; call read_media_file to read its bytes',
        '../x: no such file or folder: ../x; it does not exist or is outside the allowed roots',
      ].join('\n---\n'),
    ]);
  });

  test('the text half names the files with invalid bytes', async () => {
    scene.put('a.txt', Buffer.from('caf\xe9\n', 'latin1'));
    scene.put('b.txt', 'b');
    const client = await scene.client({ revision });
    const { text } = await call(client, 'read_multiple_files', { paths: ['a.txt', 'b.txt'] });
    expect(text).toBe(
      'a.txt:\ncaf\ufffd\n\n[1 byte is not valid text, the first at offset 3; read as U+FFFD]\n---\nb.txt:\nb',
    );
  });
});

whereStructured((revision) => {
  test('each file has its own text or error', async () => {
    scene.put('a.txt', 'one\ntwo');
    scene.put('b.txt', '');
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_multiple_files', { paths: ['a.txt', 'none.txt', 'b.txt'] });
    expect(facts).toEqual({
      files: [
        { path: 'a.txt', text: 'one\ntwo', totalLines: 2, etag: expect.any(String) },
        { path: 'none.txt', error: expect.stringContaining('no such file') },
        { path: 'b.txt', text: '', totalLines: 0, etag: expect.any(String) },
      ],
      truncated: false,
    });
  });

  test('the size limit applies to all files together, and remaining lists the rest', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `file-${index}.txt`);
    for (const name of names) scene.put(name, `${name} "\\\n`.repeat(60));
    const client = await scene.client({ revision, maxOutput: 8192 });
    const seen: string[] = [];
    let paths = names;
    while (paths.length > 0) {
      const { result, facts } = await call(client, 'read_multiple_files', { paths });
      const { content, structured } = halves(result);
      expect(content).toBeLessThanOrEqual(8192);
      expect(structured).toBeLessThanOrEqual(8192);
      expect(facts.truncated).toBe(
        facts.remaining !== undefined || facts.files.some((file) => file.truncated),
      );
      seen.push(...facts.files.map((file) => file.path));
      paths = facts.remaining ?? [];
    }
    expect(seen).toEqual(names);
  });

  test('many files that do not fit stay within the size limit', async () => {
    const paths = Array.from({ length: 1000 }, (_, index) => `${'long'.repeat(20)}-${index}.txt`);
    const client = await scene.client({ revision, maxOutput: 4096 });
    const { result, facts } = await call(client, 'read_multiple_files', { paths });
    const { content, structured } = halves(result);
    expect(facts.truncated).toBe(true);
    expect([content <= 4096, structured <= 4096], `${content} and ${structured} bytes`).toEqual([true, true]);
  });

  test('a path that exceeds the size limit gets an error instead of being listed as remaining', async () => {
    const path = `${'p'.repeat(900)}.txt`;
    const client = await scene.client({ revision, maxOutput: 1024 });
    const { failed, facts } = await call(client, 'read_multiple_files', { paths: [path] });
    expect(failed || facts.files.length > 0).toBe(true);
  });

  test('a file over the size limit is cut and marked as truncated', async () => {
    scene.put('a.txt', 'line\n'.repeat(5000));
    const client = await scene.client({ revision, maxOutput: 4096 });
    const { facts, text } = await call(client, 'read_multiple_files', { paths: ['a.txt'] });
    expect([facts.truncated, facts.files[0]!.truncated, text.includes('cut at the size limit')]).toEqual([
      true,
      true,
      true,
    ]);
    expect('line\n'.repeat(5000).startsWith(facts.files[0]!.text!)).toBe(true);
  });

  test('progress counts the files', async () => {
    for (const name of ['a', 'b', 'c']) scene.put(name, name);
    const client = await scene.client({ revision });
    const reported: number[][] = [];
    const paths = ['a', 'b', 'c'];
    await call(
      client,
      'read_multiple_files',
      { paths },
      { onProgress: ({ progress, total }) => reported.push([progress, total!]) },
    );
    expect(reported.at(-1)).toEqual([3, 3]);
  });

  test('no path and too many paths are refused', async () => {
    const client = await scene.client({ revision });
    for (const paths of [[], Array.from({ length: 1001 }, () => 'a')]) {
      const answer = await call(client, 'read_multiple_files', { paths }).then(
        ({ failed, text }) => [failed, text],
        (error: Error) => [true, error.message],
      );
      expect(answer[0]).toBe(true);
      expect(answer[1]).toContain('paths');
    }
  });

  test('head and tail apply to each file', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index + 1}\n`);
    scene.put('large.txt', lines.join(''));
    scene.put('small.txt', 'one\ntwo\nthree');
    const client = await scene.client({ revision });
    const read = async (form: object) =>
      (await call(client, 'read_multiple_files', { paths: ['large.txt', 'none', 'small.txt'], ...form }))
        .facts;
    expect((await read({ head: 2 })).files.map(({ text }) => text)).toEqual([
      'line 1\nline 2\n',
      undefined,
      'one\ntwo\n',
    ]);
    const last = await read({ tail: 2 });
    expect(last.files.map(({ text }) => text)).toEqual(['line 39999\nline 40000\n', undefined, 'two\nthree']);
    expect(last.files.map((file) => [(file as { startLine?: number }).startLine, file.totalLines])).toEqual([
      [39_999, 40_000],
      [undefined, undefined],
      [2, 3],
    ]);
    const both = await call(client, 'read_multiple_files', { paths: ['small.txt'], head: 1, tail: 1 });
    expect([both.failed, both.text]).toEqual([true, 'set only one of head and tail']);
  });

  test('text larger than one block is complete in both halves', async () => {
    const text = 'a line of some length\n'.repeat(20_000);
    scene.put('a.txt', text);
    scene.put('b.txt', 'short');
    const client = await scene.client({ revision, maxOutput: 4_000_000 });
    const { facts, words } = await call(client, 'read_multiple_files', { paths: ['a.txt', 'b.txt'] });
    expect(facts.files.map((file) => file.text)).toEqual([text, 'short']);
    expect(words.includes(text) && words.endsWith('short')).toBe(true);
  });

  test.runIf(process.platform === 'linux')('a cancelled call reads no further file', async () => {
    const paths = Array.from({ length: 1000 }, (_, index) => `${index}.txt`);
    const first = scene.put('0.txt', 'line\n'.repeat(20_000));
    for (const path of paths.slice(1)) linkSync(first, scene.at(path));
    const client = await scene.client({ revision, maxOutput: 200_000_000 });
    const cancel = new AbortController();
    const reported: number[] = [];
    const before = bytesRead();
    const answer = call(
      client,
      'read_multiple_files',
      { paths },
      {
        signal: cancel.signal,
        onProgress: ({ progress }) => {
          reported.push(progress);
          cancel.abort();
        },
      },
    );
    await expect(answer).rejects.toThrow('cancelled');
    // turns of the event loop in which files would be read
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(bytesRead() - before).toBeLessThan((paths.length * 100_000) / 2);
    expect((await call(client, 'read_text_file', { path: '0.txt', head: 1 })).text).toBe('line\n');
    expect([reported.length, scene.faults]).toEqual([1, []]);
  });
});

function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
}
