import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const small = 'l1\nl2\r\nl3\nl4\nl5';
/** Larger than a file that is read synchronously. */
const manyLines = 60_000;
const large = Array.from({ length: manyLines }, (_, index) => `line ${index + 1}\n`).join('');

inEveryRevision((revision) => {
  test('the text half names its range of lines and their total', async () => {
    scene.put('a.txt', small);
    const client = await scene.client({ revision });
    const words = async (args: object) =>
      (await call(client, 'read_text_file', { path: 'a.txt', ...args })).words;
    expect(await words({ head: 2 })).toBe('l1\nl2\r\n\n[lines 1-2 of 5]');
    expect(await words({ tail: 2 })).toBe('l4\nl5\n[lines 4-5 of 5]');
    expect(await words({ startLine: 2, endLine: 3 })).toBe('l2\r\nl3\n\n[lines 2-3 of 5]');
  });

  test('arguments that exclude each other are refused with the choices', async () => {
    scene.put('a.txt', small);
    const client = await scene.client({ revision });
    for (const args of [
      { head: 1, tail: 1 },
      { head: 1, startLine: 1 },
      { tail: 1, cursor: 'x' },
    ]) {
      const { failed, text } = await call(client, 'read_text_file', { path: 'a.txt', ...args });
      expect([failed, text]).toEqual([
        true,
        'set only one of head, tail, startLine with endLine, and cursor',
      ]);
    }
  });

  test('a range that ends before it begins is refused', async () => {
    scene.put('a.txt', small);
    const client = await scene.client({ revision });
    const { failed, text } = await call(client, 'read_text_file', {
      path: 'a.txt',
      startLine: 4,
      endLine: 2,
    });
    expect([failed, text]).toEqual([true, 'endLine 2 is before startLine 4']);
  });
});

whereStructured((revision) => {
  const files: [string, string, number][] = [
    ['small', small, 5],
    ['large', large, manyLines],
  ];
  test.each(files)('head returns the first lines of a %s file', async (_size, text, total) => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', head: 2 });
    expect([facts.text, facts.startLine, facts.endLine, facts.truncated, facts.nextCursor]).toEqual([
      text
        .split(/(?<=\n)/)
        .slice(0, 2)
        .join(''),
      1,
      2,
      false,
      undefined,
    ]);
    expect([total, undefined]).toContain(facts.totalLines);
  });

  test.each(files)('tail returns the last lines of a %s file', async (_size, text) => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', tail: 3 });
    expect([facts.text, facts.truncated]).toEqual([
      text
        .split(/(?<=\n)/)
        .slice(-3)
        .join(''),
      false,
    ]);
  });

  test.each(files)(
    'a range returns exactly its lines of a %s file, and the total',
    async (_size, text, total) => {
      scene.put('a.txt', text);
      const client = await scene.client({ revision });
      const lines = text.split(/(?<=\n)/);
      for (const [startLine, endLine] of [
        [1, 1],
        [2, 4],
        [total - 1, total],
        [total, total + 9],
      ] as const) {
        const { facts } = await call(client, 'read_text_file', { path: 'a.txt', startLine, endLine });
        expect([facts.text, facts.startLine, facts.endLine, facts.totalLines, facts.truncated]).toEqual([
          lines.slice(startLine - 1, endLine).join(''),
          startLine,
          Math.min(endLine, total),
          total,
          false,
        ]);
      }
    },
  );

  test.each(files)(
    'startLine alone reads to the end of a %s file, endLine alone from its start',
    async (_size, text, total) => {
      scene.put('a.txt', text);
      const client = await scene.client({ revision });
      const lines = text.split(/(?<=\n)/);
      const read = async (args: object) =>
        (await call(client, 'read_text_file', { path: 'a.txt', ...args })).facts;
      expect((await read({ startLine: total - 1 })).text).toBe(lines.slice(-2).join(''));
      expect((await read({ endLine: 2 })).text).toBe(lines.slice(0, 2).join(''));
    },
  );

  test.each(files)(
    'a range after the end of a %s file is empty and has the total',
    async (_size, text, total) => {
      scene.put('a.txt', text);
      const client = await scene.client({ revision });
      const outcome = await call(client, 'read_text_file', {
        path: 'a.txt',
        startLine: total + 5,
        endLine: total + 6,
      });
      expect([outcome.facts.text, outcome.facts.totalLines, outcome.facts.truncated]).toEqual([
        '',
        total,
        false,
      ]);
      expect(outcome.words).toContain(`no lines from line ${total + 5}, of ${total}`);
    },
  );

  test.each(files)(
    'head and tail with more lines than a %s file has return all lines',
    async (size, text) => {
      scene.put('a.txt', text);
      const client = await scene.client({ revision, maxOutput: 4_000_000 });
      for (const form of [{ head: 1_000_000 }, { tail: 1_000_000 }]) {
        const { facts } = await call(client, 'read_text_file', { path: 'a.txt', ...form });
        expect([facts.text === text, facts.truncated], `${size} ${Object.keys(form)[0]}`).toEqual([
          true,
          false,
        ]);
      }
    },
  );

  test('a tail over the size limit ends with the last line and names the call for earlier lines', async () => {
    const client = await scene.client({ revision, maxOutput: 4096 });
    for (const lines of [2000, manyLines]) {
      const text = large.slice(0, large.indexOf(`line ${lines}\n`) + `line ${lines}\n`.length);
      scene.put('a.txt', text);
      const { facts, words } = await call(client, 'read_text_file', { path: 'a.txt', tail: 1500 });
      expect([facts.truncated, facts.endLine, facts.nextCursor], `${lines} lines`).toEqual([
        true,
        lines,
        undefined,
      ]);
      expect(text.endsWith(facts.text)).toBe(true);
      expect(words).toContain(
        `are cut at the size limit; set startLine, and endLine ${facts.startLine}, to read them`,
      );
    }
  });

  test('a tail over the size limit of one long line has complete characters', async () => {
    scene.put('a.txt', `${'é'.repeat(300_000)}\n`);
    const client = await scene.client({ revision, maxOutput: 4096 });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', tail: 1 });
    expect([/^é+\n?$/.test(facts.text), facts.lossy, facts.truncated]).toEqual([true, undefined, true]);
  });

  test('invalid bytes of a large file are flagged, also in a truncated result', async () => {
    scene.put('a.txt', Buffer.concat([Buffer.from('caf\xe9\n', 'latin1'), Buffer.from(large)]));
    const client = await scene.client({ revision, maxOutput: 4096 });
    for (const form of [{}, { head: 5 }, { head: 5000 }, { startLine: 1 }]) {
      const { facts, words } = await call(client, 'read_text_file', { path: 'a.txt', ...form });
      expect([facts.lossy, words.includes('not valid text')], JSON.stringify(form)).toEqual([true, true]);
    }
  });

  test('a byte order mark is not part of the first line, for every kind of read', async () => {
    for (const rest of ['two\n', large]) {
      scene.put('a.txt', `\uFEFFone\n${rest}`);
      const client = await scene.client({ revision });
      for (const form of [{ head: 1 }, { startLine: 1, endLine: 1 }]) {
        const { facts } = await call(client, 'read_text_file', { path: 'a.txt', ...form });
        expect(facts.text).toBe('one\n');
      }
    }
  });
});
