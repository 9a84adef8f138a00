import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call, halves, newest, readOn, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
/** A file of up to this size is read synchronously, a larger one in pieces. */
const THRESHOLD = 256 * 1024;

/** Returns lines of many lengths and characters, a few of them longer than any page. */
function prose(bytes: number, lineEnd: string): string {
  const words = ['plain', 'é', '漢字', '😀', '"', '\\', '\t', '\u0001', 'a longer word of some letters'];
  const lines: string[] = [];
  let size = 0;
  for (let at = 0; size < bytes; at++) {
    const line = `${at} ${words[at % words.length]!.repeat(1 + ((at * 7919) % (at % 50 === 49 ? 900 : 30)))}${lineEnd}`;
    lines.push(line);
    size += Buffer.byteLength(line);
  }
  return lines.join('');
}

/** Returns text of exactly this length, cut between characters and filled with dots. */
function exactly(bytes: number, lineEnd = '\n'): string {
  let text = prose(bytes, lineEnd);
  while (Buffer.byteLength(text) > bytes)
    text = text.slice(0, -Math.max(1, (Buffer.byteLength(text) - bytes) >> 2));
  text = text.toWellFormed().replaceAll('\uFFFD', '');
  return text + '.'.repeat(bytes - Buffer.byteLength(text));
}

whereStructured((revision) => {
  /** A file that is held whole and one that is read by pieces; in `npm test` revisions take one of them. */
  const sizesOf = (small: number, large: number): number[] =>
    full ? [small, large] : [revision === newest ? large : small];

  test.each([
    [0, 1024],
    [1, 1024],
    [5000, 1024],
    [THRESHOLD - 1, 20_000],
    [THRESHOLD, 20_000],
    [THRESHOLD + 1, 20_000],
    [THRESHOLD + 20_000, 102_400],
  ])('the pages of %i bytes at a limit of %i are the file', async (bytes, maxOutput) => {
    const text = exactly(bytes);
    scene.put('a.txt', text);
    const client = await scene.client({ revision, maxOutput });
    const parts = await readOn(client, { path: 'a.txt' });
    expect(parts.map((part) => part.facts.text).join('') === text).toBe(true);
    expect(parts.map((part) => part.text).join('') === text).toBe(true);
    expect(parts.map((part) => part.facts.truncated)).toEqual(
      parts.map((_, index) => index < parts.length - 1),
    );
  });

  test.each(['\n', '\r\n'])('pages cut no character and no line end %j', async (lineEnd) => {
    for (const bytes of sizesOf(30_000, THRESHOLD + 5000)) {
      const text = exactly(bytes, lineEnd);
      scene.put('a.txt', text);
      // consecutive limits, so that the cut is at every byte of a character
      for (let maxOutput = 8192; maxOutput < (full ? 8197 : 8195); maxOutput++) {
        const client = await scene.client({ revision, maxOutput });
        const parts = await readOn(client, { path: 'a.txt' });
        expect(parts.map((part) => part.facts.text).join('') === text).toBe(true);
        for (const { facts } of parts) {
          expect([facts.lossy, facts.text.startsWith('\n') && lineEnd === '\r\n']).toEqual([
            undefined,
            false,
          ]);
        }
      }
    }
  });

  test('the lines of pages are consecutive and end at the total', async () => {
    for (const bytes of sizesOf(40_000, THRESHOLD + 40_000)) {
      const text = exactly(bytes);
      scene.put('a.txt', text);
      const client = await scene.client({ revision, maxOutput: 9000 });
      const parts = await readOn(client, { path: 'a.txt' });
      for (const [index, { facts }] of parts.entries()) {
        const before = parts[index - 1]?.facts;
        if (before === undefined) expect(facts.startLine).toBe(1);
        // a page that ended inside a line continues in the same line
        else expect(facts.startLine).toBe(before.text.endsWith('\n') ? before.endLine! + 1 : before.endLine);
      }
      expect(parts.at(-1)!.facts.endLine).toBe(text.split(/(?<=\n)/).length);
    }
  });

  test('a range over the size limit continues to its end and not beyond', async () => {
    for (const total of sizesOf(3000, 60_000)) {
      const lines = Array.from({ length: total }, (_, index) => `line ${index + 1} 漢\n`);
      scene.put('a.txt', lines.join(''));
      const client = await scene.client({ revision, maxOutput: 4096 });
      const parts = await readOn(client, { path: 'a.txt', startLine: 500, endLine: 1700 });
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.map((part) => part.facts.text).join('')).toBe(lines.slice(499, 1700).join(''));
      expect(parts.at(-1)!.facts.endLine).toBe(1700);
    }
  });

  test('a head over the size limit continues to its end and not beyond', async () => {
    for (const total of sizesOf(3000, 60_000)) {
      const lines = Array.from({ length: total }, (_, index) => `line ${index + 1} 漢\n`);
      scene.put('a.txt', lines.join(''));
      const client = await scene.client({ revision, maxOutput: 4096 });
      const parts = await readOn(client, { path: 'a.txt', head: 1200 });
      expect(parts.map((part) => part.facts.text).join('')).toBe(lines.slice(0, 1200).join(''));
    }
  });

  test('pages of a file with a byte order mark are the text after it', async () => {
    for (const bytes of sizesOf(30_000, THRESHOLD + 30_000)) {
      const text = exactly(bytes);
      scene.put('a.txt', `\uFEFF${text}`);
      const client = await scene.client({ revision, maxOutput: 8192 });
      const parts = await readOn(client, { path: 'a.txt' });
      expect(parts.map((part) => part.facts.text).join('') === text, `${bytes} bytes`).toBe(true);
    }
  });

  test.each(['utf-16le', 'utf-16be'])('pages of %s are its text', async (encoding) => {
    for (const bytes of sizesOf(30_000, THRESHOLD)) {
      const text = exactly(bytes);
      const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
      scene.put('a.txt', encoding === 'utf-16le' ? little : little.swap16());
      const client = await scene.client({ revision, maxOutput: 8192 });
      const parts = await readOn(client, { path: 'a.txt' });
      expect(parts.map((part) => part.facts.text).join('') === text, `${bytes} bytes`).toBe(true);
    }
  });

  test('pages of a file with invalid bytes are complete', async () => {
    const line = Buffer.concat([Buffer.from('caf'), Buffer.of(0xe9), Buffer.from(' in Latin-1\n')]);
    for (const lines of sizesOf(1500, 30_000)) {
      const bytes = Buffer.concat(
        Array.from({ length: lines }, (_, at) => Buffer.concat([Buffer.from(`${at} `), line])),
      );
      scene.put('a.txt', bytes);
      const client = await scene.client({ revision, maxOutput: 8192 });
      const parts = await readOn(client, { path: 'a.txt' });
      expect(parts.map((part) => part.facts.text).join('') === bytes.toString(), `${lines} lines`).toBe(true);
      expect(parts.map((part) => part.facts.lossy)).toEqual(parts.map(() => true));
    }
  });

  test('one line of 5 MB is read to its end', async () => {
    const text = '0123456789abcdé漢😀'.repeat(5_000_000 / 24);
    scene.put('a.txt', text);
    const client = await scene.client({ revision, maxOutput: 1_000_000 });
    const parts = await readOn(client, { path: 'a.txt' });
    expect(parts.map((part) => part.facts.text).join('') === text).toBe(true);
    expect(parts.map((part) => [part.facts.startLine, part.facts.endLine])).toEqual(parts.map(() => [1, 1]));
  });

  test('the text half has the cursor of the structured half', async () => {
    scene.put('a.txt', exactly(20_000));
    const client = await scene.client({ revision, maxOutput: 8192 });
    const { words, facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(words.endsWith(`continue with cursor ${facts.nextCursor}]`)).toBe(true);
  });

  test.each([
    ['small', 20_000],
    ['large', THRESHOLD + 20_000],
  ])('a %s file that changed between pages is refused with the next step', async (_size, bytes) => {
    const text = exactly(bytes);
    scene.put('a.txt', text);
    const client = await scene.client({ revision, maxOutput: 8192 });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    writeFileSync(scene.at('a.txt'), `${text}and more`);
    const {
      failed,
      code,
      text: message,
    } = await call(client, 'read_text_file', { path: 'a.txt', cursor: facts.nextCursor });
    expect([failed, code, message]).toEqual([
      true,
      'changed',
      'changed since the first part was read: a.txt\nread it again without cursor',
    ]);
  });

  test('a file that became empty or binary between pages is refused as changed', async () => {
    for (const now of [Buffer.alloc(0), Buffer.from([0, 1, 2])]) {
      scene.put('a.txt', exactly(20_000));
      const client = await scene.client({ revision, maxOutput: 8192 });
      const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
      writeFileSync(scene.at('a.txt'), now);
      const { code } = await call(client, 'read_text_file', { path: 'a.txt', cursor: facts.nextCursor });
      expect(code).toBe('changed');
    }
  });

  test('a cursor of another tool or an invalid one is refused', async () => {
    scene.put('a.txt', exactly(20_000));
    scene.put('b.txt', exactly(20_000));
    const client = await scene.client({ revision, maxOutput: 8192 });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    const other = await call(client, 'read_text_file', { path: 'b.txt', cursor: facts.nextCursor });
    const foreign = await call(client, 'read_text_file', { path: 'a.txt', cursor: 'bm90IG91cnM' });
    expect([other.failed, foreign.failed, foreign.code]).toEqual([true, true, 'invalid-cursor']);
  });

  test.each([
    ['whole', {}],
    ['head', { head: 5000 }],
    ['tail', { tail: 5000 }],
    ['range', { startLine: 3, endLine: 5000 }],
  ])('each half of every page stays within the limit, read as %s', async (_form, form) => {
    for (const bytes of sizesOf(60_000, THRESHOLD + 60_000)) {
      // every character is longer in JSON than in the file
      scene.put('a.txt', '"\\\u0001\t\n'.repeat(bytes / 5));
      for (const maxOutput of [1024, 10_000]) {
        const client = await scene.client({ revision, maxOutput });
        const first = await call(client, 'read_text_file', { path: 'a.txt', ...form });
        const sizes = [halves(first.result)];
        if (first.facts.nextCursor !== undefined) {
          sizes.push(
            halves(
              (await call(client, 'read_text_file', { path: 'a.txt', cursor: first.facts.nextCursor }))
                .result,
            ),
          );
        }
        for (const { content, structured } of sizes) {
          expect(content, `text half of ${bytes} at ${maxOutput}`).toBeLessThanOrEqual(maxOutput);
          expect(structured, `structured half of ${bytes} at ${maxOutput}`).toBeLessThanOrEqual(maxOutput);
        }
      }
    }
  });
});

test('a cursor with forged numbers is refused without an internal error', async () => {
  const { sealCursor } = await import('@rootbound/kit/budget');
  for (const bytes of [20_000, THRESHOLD + 20_000]) {
    scene.put('a.txt', exactly(bytes));
    const client = await scene.client({ revision: newest, maxOutput: 8192 });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt' });
    for (const [offset, line, end] of [
      [-5, 1, 10],
      [0, -3, 10],
      [0, 5, 2],
      [Number.MAX_SAFE_INTEGER, 1, 10],
    ] as const) {
      const cursor = sealCursor('read_text_file', [offset, line, end, facts.etag]);
      await call(client, 'read_text_file', { path: 'a.txt', cursor });
      expect(scene.faults, `${bytes} bytes, ${offset} ${line} ${end}`).toEqual([]);
    }
  }
});
