import { expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const manyLines = 60_000;
const large = Array.from({ length: manyLines }, (_, index) => `line ${index + 1}\n`).join('');

inEveryRevision((revision) => {
  test('lineNumbers numbers the lines of the text half', async () => {
    scene.put('a.txt', 'one\r\n\ntwo\nlast');
    const client = await scene.client({ revision });
    const read = async (form: object) =>
      (await call(client, 'read_text_file', { path: 'a.txt', lineNumbers: true, ...form })).words;
    expect(await read({})).toBe('     1\tone\r\n     2\t\n     3\ttwo\n     4\tlast');
    expect(await read({ startLine: 3 })).toBe('     3\ttwo\n     4\tlast\n[lines 3-4 of 4]');
    expect(await read({ tail: 1 })).toBe('     4\tlast\n[lines 4-4 of 4]');
  });

  test('a range after the end has a note instead of lines', async () => {
    scene.put('a.txt', 'one\ntwo\n');
    const client = await scene.client({ revision });
    const { words, failed } = await call(client, 'read_text_file', { path: 'a.txt', startLine: 7 });
    expect([words, failed]).toEqual(['\n[no lines from line 7, of 2]', false]);
  });
});

whereStructured((revision) => {
  test('the structured half has the unchanged text and the number of its first line', async () => {
    scene.put('a.txt', 'one\ntwo\nthree\n');
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', tail: 2, lineNumbers: true });
    expect([facts.text, facts.startLine, facts.totalLines]).toEqual(['two\nthree\n', 2, 3]);
  });

  test('both halves have the same lines of a large file, and stay within the size limit', async () => {
    scene.put('a.txt', large);
    const client = await scene.client({ revision, maxOutput: 8192 });
    for (const form of [{}, { startLine: 59_000 }, { tail: 2000 }, { head: 59_999 }]) {
      const { facts, text, result } = await call(client, 'read_text_file', {
        path: 'a.txt',
        lineNumbers: true,
        ...form,
      });
      const numbered = text.split(/(?<=\n)/).map((line) => /^ *(\d+)\t(.*\n)$/.exec(line)!.slice(1));
      expect(numbered.map(([, line]) => line).join('')).toBe(facts.text);
      expect(numbered.map(([number]) => Number(number))).toEqual(
        numbered.map((_, index) => facts.startLine! + index),
      );
      expect(numbered.map(([number, line]) => line === `line ${number}\n`)).toEqual(numbered.map(() => true));
      const { content, structured } = halves(result);
      expect([content <= 8192, structured <= 8192], `${content} and ${structured}`).toEqual([true, true]);
      expect(facts.truncated).toBe(true);
    }
  });

  test('line numbers continue from page to page', async () => {
    scene.put('a.txt', large);
    const client = await scene.client({ revision, maxOutput: 20_000 });
    const first = await call(client, 'read_text_file', { path: 'a.txt', lineNumbers: true });
    const second = await call(client, 'read_text_file', {
      path: 'a.txt',
      lineNumbers: true,
      cursor: first.facts.nextCursor,
    });
    const next = first.facts.endLine! + 1;
    expect(second.text.startsWith(`${String(next).padStart(6)}\tline ${next}\n`)).toBe(true);
  });

  test('line numbers of more than six digits are complete', async () => {
    const total = 1_000_010;
    scene.put('a.txt', 'x\n'.repeat(total));
    const client = await scene.client({ revision });
    const { text } = await call(client, 'read_text_file', {
      path: 'a.txt',
      startLine: 999_999,
      endLine: 1_000_001,
      lineNumbers: true,
    });
    expect(text).toBe(' 999999\tx\n1000000\tx\n1000001\tx\n');
  });

  test('every page of a file has the total number of lines', async () => {
    scene.put('a.txt', large);
    const client = await scene.client({ revision, maxOutput: 200_000 });
    const totals: (number | undefined)[] = [];
    for (let cursor: string | undefined; ; ) {
      const { facts } = await call(
        client,
        'read_text_file',
        cursor ? { path: 'a.txt', cursor } : { path: 'a.txt' },
      );
      totals.push(facts.totalLines);
      cursor = facts.nextCursor;
      if (cursor === undefined) break;
    }
    expect(totals.length).toBeGreaterThan(2);
    expect(totals).toEqual(totals.map(() => manyLines));
  });
});
