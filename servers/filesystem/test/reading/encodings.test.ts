import { closeSync, openSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, inEveryRevision, readOn, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
/** Larger than a file that is read synchronously. */
const LARGE = 300_000;

function encode(text: string, encoding: string): Buffer {
  if (encoding === 'latin1') return Buffer.from(text, 'latin1');
  if (encoding === 'utf-8') return Buffer.from(text);
  const little = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? little : little.swap16();
}

/** Returns numbered lines of characters that every encoding here has. */
function lines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1} caf\u00e9 \u00fc\u00df "quoted"\n`);
}

inEveryRevision((revision) => {
  test('a file without a byte order mark is read in the requested encoding', async () => {
    scene.put('a.txt', encode('caf\u00e9\n', 'latin1'));
    const client = await scene.client({ revision });
    const { text, words } = await call(client, 'read_text_file', { path: 'a.txt', encoding: 'latin1' });
    expect([text, words]).toEqual(['caf\u00e9\n', 'caf\u00e9\n']);
  });

  test('the text half has the number of invalid bytes and the offset of the first', async () => {
    scene.put('a.txt', Buffer.from('61e9620a63ff0a', 'hex'));
    const client = await scene.client({ revision });
    const { words } = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(words).toContain('2 bytes are not valid text, the first at offset 1; read as U+FFFD');
  });
});

whereStructured((revision) => {
  const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'];

  test.each(encodings)(
    'small and large files in %s are read whole and by every argument',
    async (encoding) => {
      const client = await scene.client({ revision, maxOutput: 4_000_000 });
      for (const count of [5, LARGE / 20]) {
        const all = lines(count);
        scene.put('a.txt', encode(all.join(''), encoding));
        const read = async (form: object) =>
          (await call(client, 'read_text_file', { path: 'a.txt', encoding, ...form })).facts;
        const whole = await read({});
        expect([whole.text === all.join(''), whole.encoding, whole.totalLines, whole.lossy]).toEqual([
          true,
          encoding,
          count,
          undefined,
        ]);
        expect((await read({ head: 2 })).text).toBe(all.slice(0, 2).join(''));
        const tail = await read({ tail: 3 });
        expect([tail.text, tail.startLine, tail.totalLines]).toEqual([
          all.slice(-3).join(''),
          count - 2,
          count,
        ]);
        const range = await read({ startLine: 3, endLine: 4 });
        expect([range.text, range.startLine, range.endLine, range.totalLines]).toEqual([
          all.slice(2, 4).join(''),
          3,
          4,
          count,
        ]);
      }
    },
  );

  test.each(encodings)(
    'the pages of a file in %s are its text, and cursors need no encoding',
    async (encoding) => {
      const all = `${lines(LARGE / 20).join('')}${'\u00e9'.repeat(9000)}`;
      scene.put('a.txt', encode(all, encoding));
      const client = await scene.client({ revision, maxOutput: 60_000 });
      const parts = await readOn(client, { path: 'a.txt', encoding });
      expect(parts.map(({ facts }) => facts.text).join('') === all).toBe(true);
      expect(new Set(parts.map(({ facts }) => facts.encoding))).toEqual(new Set([encoding]));
      expect(new Set(parts.map(({ facts }) => facts.totalLines))).toEqual(new Set([LARGE / 20 + 1]));
    },
  );

  test.each(['utf-8', 'utf-16le', 'utf-16be'])(
    'no character of a large file in %s is split between pages',
    async (encoding) => {
      const client = await scene.client({ revision, maxOutput: 4_000_000 });
      const text = `x${'\u{1f600}'.repeat(LARGE / 3)}\n`;
      scene.put('a.txt', encode(text, encoding));
      for (const form of [{}, { tail: 1 }, { lineNumbers: true }]) {
        const { facts } = await call(client, 'read_text_file', { path: 'a.txt', encoding, ...form });
        expect([facts.text === text, facts.lossy]).toEqual([true, undefined]);
      }
      // consecutive limits, so that the cut is at every byte of a character
      for (let maxOutput = 5000; maxOutput < 5004; maxOutput++) {
        const narrow = await scene.client({ revision, maxOutput });
        for (const form of [{}, { tail: 1 }, { lineNumbers: true }]) {
          const { facts } = await call(narrow, 'read_text_file', { path: 'a.txt', encoding, ...form });
          expect([facts.text.isWellFormed(), facts.text.includes('\uFFFD'), facts.truncated]).toEqual([
            true,
            false,
            true,
          ]);
        }
      }
    },
  );

  test('a cursor with another encoding is refused', async () => {
    scene.put('a.txt', encode(lines(2000).join(''), 'latin1'));
    const client = await scene.client({ revision, maxOutput: 4096 });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', encoding: 'latin1' });
    const other = await call(client, 'read_text_file', {
      path: 'a.txt',
      cursor: facts.nextCursor,
      encoding: 'utf-16le',
    });
    expect([other.failed, other.text]).toEqual([
      true,
      'encoding differs from that of the previous part; omit encoding when you set cursor',
    ]);
  });

  test('the byte order mark of the requested encoding is not part of the text, another one is', async () => {
    scene.put('a.txt', encode('\uFEFFone', 'utf-16be'));
    const client = await scene.client({ revision });
    const read = async (encoding: string) =>
      (await call(client, 'read_text_file', { path: 'a.txt', encoding })).facts;
    expect((await read('utf-16be')).text).toBe('one');
    expect((await read('utf-16le')).text.charCodeAt(0)).toBe(0xfffe);
  });

  test.each([
    ['utf-8', '61c3', 1, 1],
    ['utf-8', '61c361', 1, 1],
    ['utf-8', 'efbbbf61e2829a', 0, undefined],
    ['utf-8', '61e282', 2, 1],
    ['utf-8', '61f09f98', 3, 1],
    ['utf-8', '61eda080', 3, 1],
    ['utf-8', '61c080f5', 3, 1],
    ['utf-8', 'e9e9e9', 3, 0],
    ['utf-8', 'efbbbf61ff', 1, 4],
    ['utf-16le', '61003dd8', 2, 2],
    ['utf-16le', '610000dc6100', 2, 2],
    ['utf-16le', '3dd800de6100', 0, undefined],
    ['utf-16le', 'fffe610062', 1, 4],
    ['utf-16be', '0061d83d', 2, 2],
    ['latin1', 'ff80', 0, undefined],
  ])('in %s the bytes %s have %i invalid ones', async (encoding, hex, invalidBytes, firstInvalid) => {
    const bytes = Buffer.from(hex, 'hex');
    scene.put('a.txt', bytes);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_text_file', { path: 'a.txt', encoding });
    expect([facts.lossy, facts.invalidBytes, facts.firstInvalid]).toEqual(
      invalidBytes === 0 ? [undefined, undefined, undefined] : [true, invalidBytes, firstInvalid],
    );
  });

  test('each part of a large file counts its own invalid bytes, with offsets in the file', async () => {
    const good = Buffer.from(lines(LARGE / 20).join(''));
    const bytes = Buffer.concat([
      good,
      Buffer.from([0x61, 0xe9, 0x0a]),
      good,
      Buffer.from([0xff, 0xff, 0x0a]),
    ]);
    scene.put('a.txt', bytes);
    const client = await scene.client({ revision });
    const parts = await readOn(client, { path: 'a.txt' });
    const invalid = parts.flatMap(({ facts: { invalidBytes, firstInvalid } }) =>
      invalidBytes === undefined ? [] : [[firstInvalid, invalidBytes]],
    );
    expect(invalid).toEqual([
      [good.length + 1, 1],
      [bytes.length - 3, 2],
    ]);
    const tail = await call(client, 'read_text_file', { path: 'a.txt', tail: 1 });
    expect([tail.facts.firstInvalid, tail.facts.invalidBytes]).toEqual([bytes.length - 3, 2]);
  });
});

test('UTF-16 of more than 64 MiB is read by head, tail, range and cursor', async () => {
  const block = Buffer.from(lines(20_000).join(''), 'utf16le');
  const path = scene.put('a.txt');
  const fd = openSync(path, 'w');
  writeSync(fd, Buffer.from('\uFEFF', 'utf16le'));
  const blocks = Math.ceil((65 * 1024 * 1024) / block.length);
  for (let at = 0; at < blocks; at++) writeSync(fd, block);
  closeSync(fd);
  const client = await scene.client();
  const read = async (form: object) =>
    (await call(client, 'read_text_file', { path: 'a.txt', ...form })).facts;
  const total = blocks * 20_000;
  expect((await read({ head: 1 })).text).toBe(lines(1)[0]);
  expect((await read({ tail: 1 })).text).toBe(lines(20_000).at(-1));
  expect(await read({ startLine: total - 1 })).toMatchObject({
    text: lines(20_000).slice(-2).join(''),
    totalLines: total,
  });
  const first = await read({});
  const second = await read({ cursor: first.nextCursor });
  expect(
    lines(20_000)
      .join('')
      .startsWith(first.text + second.text),
  ).toBe(true);
});
