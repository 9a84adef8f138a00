import { createSinglebyteDecoder } from '@exodus/bytes/single-byte.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { tableOf } from '../../src/encodings/tables.ts';
import { call, Scene } from '../harness.ts';

const scene = new Scene();
const bom = '\ufeff';
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();

const multiByte = ['shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'];
const singleByte = [
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => `windows-${page}`),
  'iso-8859-2',
  'iso-8859-9',
  'iso-8859-15',
  'koi8-r',
  'ibm866',
  'macintosh',
];

/** Non-ASCII characters of each encoding. */
function lettersOf(encoding: string): string[] {
  const table = tableOf(encoding);
  const holds = (letter: string): boolean => {
    const bytes = table.encode(letter);
    return bytes !== undefined && table.decode(bytes) === letter;
  };
  const letters: string[] = [];
  for (let point = 0xa0; point < 0x10000 && letters.length < 400; point += point < 0x600 ? 1 : 37) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const letter = String.fromCharCode(point);
    if (holds(letter)) letters.push(letter);
  }
  // characters whose second byte is in the ASCII range
  for (const letter of ['表', '能', 'ソ', '十', '許', '功']) if (holds(letter)) letters.push(letter);
  return letters;
}

test.for([...multiByte, ...singleByte, 'utf-16le', 'utf-16be', 'latin1'])(
  'a file in %s is read, edited by text and by line, and appended to; all other bytes stay',
  { timeout: 120_000 },
  async (encoding) => {
    const client = await scene.client();
    const plain = ['utf-16le', 'utf-16be', 'latin1'].includes(encoding);
    const letters = lettersOf(
      plain ? (encoding === 'latin1' ? 'windows-1252' : 'shift_jis') : encoding,
    ).filter((letter) => encoding !== 'latin1' || letter <= '\xff');
    const encode = (text: string): Buffer => {
      if (encoding === 'utf-16le') return utf16le(text);
      if (encoding === 'utf-16be') return utf16be(text);
      return encoding === 'latin1' ? Buffer.from(text, 'latin1') : tableOf(encoding).encode(text)!;
    };
    const word = fc
      .array(fc.constantFrom(...letters, 'a', '\\', '|', ' '), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(''));
    const line = fc.tuple(word, fc.constantFrom('\n', '\r\n')).map((parts) => parts.join(''));
    const lines = fc.array(line, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(lines, word, lines, word, async (before, old, after, fresh) => {
        // an edit without a difference is refused
        fc.pre(old !== fresh);
        const [start, end] = [`${before}<`, `>\n${after}`];
        scene.put('f', Buffer.concat([encode(start), encode(old), encode(end)]));
        const read = await call(client, 'read_text_file', { path: 'f', encoding });
        expect(read.facts).toMatchObject({ text: `${start}${old}${end}`, encoding });
        const first = before.split('\n').length;
        const edits = [
          { oldText: `<${old}>`, newText: `<${fresh}>` },
          { insertLine: first, newText: fresh },
        ];
        const edited = await call(client, 'edit_file', { path: 'f', edits, encoding });
        const added = await call(client, 'write_file', {
          path: 'f',
          content: fresh,
          encoding,
          append: true,
        });
        expect([edited.failed, added.failed], edited.text).toEqual([false, false]);
        const expected = [encode(`${start}${fresh}>\n${fresh}\n${after}${fresh}`)];
        expect(scene.bytes('f').toString('hex')).toBe(Buffer.concat(expected).toString('hex'));
      }),
      { numRuns: tenth(12) },
    );
  },
);

test('lines with bytes that do not survive encoding stay beside an edit, and cannot be edited', async () => {
  const client = await scene.client();
  const odd = Buffer.from([0x81, 0x20, 0xff, 0x0a]);
  const path = scene.put('f', Buffer.concat([odd, Buffer.from([0x82, 0xa0, 0x0a]), odd]));
  const encoding = 'shift_jis';
  await call(client, 'edit_file', { path, edits: [{ oldText: 'あ', newText: '表' }], encoding });
  expect(scene.bytes('f')).toEqual(Buffer.concat([odd, Buffer.from([0x95, 0x5c, 0x0a]), odd]));
  const before = scene.bytes('f');
  const refused = await call(client, 'edit_file', {
    path,
    edits: [{ startLine: 1, newText: 'x' }],
    encoding,
  });
  expect(refused).toMatchObject({ code: 'invalid-arguments' });
  expect(scene.bytes('f')).toEqual(before);
});

test('a character that an encoding lacks is refused with its code point, and nothing is written', async () => {
  const client = await scene.client();
  for (const [encoding, letter] of [
    ['windows-1252', 'あ'],
    ['shift_jis', '😀'],
    ['latin1', '€'],
    ['koi8-r', 'é'],
  ] as const) {
    const path = scene.put('f', 'plain\n');
    const edits = [{ oldText: 'plain', newText: letter }];
    for (const [tool, args] of [
      ['edit_file', { edits }],
      ['write_file', { content: letter }],
      ['write_file', { content: letter, append: true }],
    ] as const) {
      const { code, text } = await call(client, tool, { path, encoding, ...args });
      expect([
        encoding,
        tool,
        code,
        text.includes('cannot encode') && text.includes(encoding === 'latin1' ? 'latin1' : letter),
      ]).toEqual([encoding, tool, 'invalid-arguments', true]);
    }
    expect(scene.bytes('f').toString()).toBe('plain\n');
  }
});

test('UTF-8 is refused for a file in another encoding unless the call sets it', async () => {
  const client = await scene.client();
  const old = Buffer.from('caf\xe9\n', 'latin1');
  const calls = [
    ['edit_file', { edits: [{ oldText: 'caf', newText: 'thé' }] }],
    ['edit_file', { edits: [{ startLine: 1, newText: 'thé' }] }],
    ['edit_file', { edits: [{ insertLine: 0, newText: 'thé' }] }],
    ['edit_file', { edits: [{ insertLine: 0, newText: 'thé' }], dryRun: true }],
    ['write_file', { content: 'thé', append: true }],
  ] as const;
  for (const [tool, args] of calls) {
    const path = scene.put('f', old);
    const refused = await call(client, tool, { path, ...args });
    expect([refused.code, refused.text.includes('windows-1252')]).toEqual(['not-utf8', true]);
    expect(scene.bytes('f')).toEqual(old);
    expect(await call(client, tool, { path, ...args, encoding: 'utf-8' })).toMatchObject({ failed: false });
    const dry = 'dryRun' in args;
    expect(scene.bytes('f').includes(Buffer.from('thé'))).toBe(!dry);
    scene.put('f', old);
    await call(client, tool, { path, ...args, encoding: 'windows-1252' });
    const text = createSinglebyteDecoder('windows-1252')(scene.bytes('f'));
    expect([text.includes('thé'), text.includes('Ã')]).toEqual([!dry, false]);
  }
  // ASCII is the same in all encodings
  const path = scene.put('f', old);
  await call(client, 'edit_file', { path, edits: [{ oldText: 'caf', newText: 'tea' }] });
  await call(client, 'write_file', { path, content: 'x', append: true });
  expect(scene.bytes('f')).toEqual(Buffer.from('tea\xe9\nx', 'latin1'));
});

test.for([
  ['klingon', 'x'],
  ['latin1', '\u20ac'],
  ['shift_jis', '\u00e9'],
  ['base64', `${'YmJi'.repeat(1_000_000)}-`],
] as const)('no folder is created for content that cannot be written: %o', async ([encoding, content]) => {
  const client = await scene.client();
  for (const append of [false, true]) {
    const args = { path: 'none/f', content, encoding, append, createParents: true };
    expect(await call(client, 'write_file', args)).toMatchObject({ code: 'invalid-arguments' });
  }
  expect(scene.names()).toEqual([]);
});

test.for([
  ['UTF-16 without a mark', utf16le('a\n'), {}, 'binary', 'utf-16le'],
  ['bytes', Buffer.from([1, 0, 2]), {}, 'binary', 'base64'],
  [
    'UTF-16 with half a character',
    Buffer.concat([utf16be(`${bom}a`), Buffer.of(0)]),
    {},
    'not-text',
    'base64',
  ],
  ['the same without a mark', Buffer.of(0x61, 0, 0x62), { encoding: 'utf-16le' }, 'not-text', 'base64'],
] as const)(
  'text is not appended to %s, and the ways to do so are named',
  async ([, old, more, code, way]) => {
    const client = await scene.client();
    const path = scene.put('f', old);
    for (const content of ['x', 'é']) {
      const refused = await call(client, 'write_file', { path, content, append: true, ...more });
      expect([refused.code, refused.text.includes(way)], refused.text).toEqual([code, true]);
      expect(scene.bytes('f')).toEqual(old);
    }
    for (const [content, encoding] of [
      ['x', 'utf-8'],
      ['eA==', ' BASE64'],
    ] as const) {
      scene.put('f', old);
      await call(client, 'write_file', { path, content, encoding, append: true });
      expect(scene.bytes('f')).toEqual(Buffer.concat([old, Buffer.from('x')]));
    }
  },
);

test.for([
  ['at the start', 0],
  ['far from the start', 100_000],
  ['far from both ends', 2_000_000],
  ['at the end', 3_000_000],
] as const)('get_file_info finds bytes that are not UTF-8 %s', async ([, at]) => {
  const client = await scene.client();
  const text = Buffer.alloc(3_000_000, 'é漢\n');
  const info = async (content: Buffer): Promise<string> =>
    (await call(client, 'get_file_info', { path: scene.put('f', content) })).facts.encoding;
  expect(await info(text)).toBe('utf-8');
  expect(await info(Buffer.concat([text.subarray(0, at), Buffer.of(0xff), text.subarray(at)]))).toBe(
    'unknown',
  );
});

test('invalid bytes far from the start count too', async () => {
  const client = await scene.client();
  const path = scene.put('f', Buffer.concat([Buffer.alloc(3_000_000, 'é\n'), Buffer.from([0xe9])]));
  const size = scene.bytes('f').length;
  const added = { path, content: 'é', append: true };
  expect(await call(client, 'write_file', added)).toMatchObject({ code: 'not-utf8' });
  expect(scene.bytes('f').length).toBe(size);
  scene.put('f', Buffer.alloc(3_000_000, 'é\n'));
  expect(await call(client, 'write_file', added)).toMatchObject({ failed: false });
});

test.for([
  ['a byte order mark', `${bom}a\nb\n`, 'x\ny', `${bom}x\ny`, 'byte order mark kept'],
  ['CRLF', 'a\r\nb\r\n', 'x\ny\n', 'x\r\ny\r\n', 'CRLF kept'],
  ['both', `${bom}a\r\n`, 'x\n', `${bom}x\r\n`, 'CRLF kept, byte order mark kept'],
  ['UTF-16LE', utf16le(`${bom}a\n`), 'é\n', utf16le(`${bom}é\n`), 'UTF-16LE kept'],
  ['UTF-16BE with CRLF', utf16be(`${bom}a\r\n`), 'é\n', utf16be(`${bom}é\r\n`), 'CRLF kept, UTF-16BE kept'],
  ['CRLF of the text itself', 'a\n', 'x\r\n', 'x\r\n', undefined],
  ['mixed line ends', 'a\r\nb\n', 'x\n', 'x\n', undefined],
  ['plain text', 'a\n', 'x\n', 'x\n', undefined],
  ['nothing', '', 'x\n', 'x\n', undefined],
  ['bytes', Buffer.from([0, 13, 10]), 'x\n', 'x\n', undefined],
] as const)('a replaced file keeps its format: %s', async ([, old, content, expected, notes]) => {
  const client = await scene.client();
  const path = scene.put('f', old);
  // twice: the format that the server remembers is correct
  for (let round = 0; round < 2; round++) {
    const { facts, text } = await call(client, 'write_file', { path, content });
    expect(facts.notes?.join(', ')).toBe(notes);
    if (notes !== undefined) expect(text).toContain(notes);
    expect(scene.bytes('f')).toEqual(Buffer.from(expected as string));
  }
});

test.for([
  [{ encoding: 'utf-8' }, `${bom}a\n`, 'x\n'],
  [{ encoding: 'utf-8' }, utf16le(`${bom}a\n`), 'x\n'],
  [{ encoding: 'utf-16le' }, 'a\n', utf16le(`${bom}x\n`)],
  [{ encoding: 'utf-16le' }, utf16le('a\n'), utf16le('x\n')],
  [{ encoding: 'UTF-16BE' }, undefined, utf16be(`${bom}x\n`)],
  [{ lineEnds: 'lf' }, 'a\r\n', 'x\n'],
  [{ lineEnds: 'crlf' }, 'a\n', 'x\r\n'],
  [{ encoding: 'base64', content: 'eAo=' }, `${bom}a\r\n`, 'x\n'],
] as const)('arguments override the format: %o', async ([args, old, expected]) => {
  const client = await scene.client();
  const path = old === undefined ? scene.at('f') : scene.put('f', old);
  expect(await call(client, 'write_file', { path, content: 'x\n', ...args })).toMatchObject({
    failed: false,
  });
  expect(scene.bytes('f')).toEqual(Buffer.from(expected as string));
});

test.for([
  ['a\r\n', 'x\n', 'a\r\nx\r\n'],
  [`${bom}a\n`, 'x\n', `${bom}a\nx\n`],
  [utf16le(`${bom}a\r\n`), 'é\n', utf16le(`${bom}a\r\né\r\n`)],
  [utf16be(`${bom}a`), 'é', utf16be(`${bom}aé`)],
] as const)(
  'what is appended has the line ends and the encoding of the file: %o',
  async ([old, content, now]) => {
    const client = await scene.client();
    const path = scene.put('f', old);
    await call(client, 'write_file', { path, content, append: true });
    expect(scene.bytes('f')).toEqual(Buffer.from(now as string));
  },
);

test('read_text_file and get_file_info return encoding, byte order mark and line ends', async () => {
  const client = await scene.client();
  for (const [content, read, info] of [
    ['a\nb\n', { encoding: 'utf-8' }, { encoding: 'utf-8', lineEnds: 'lf' }],
    [`${bom}a\r\n`, { bom: true, lineEnds: 'crlf' }, { encoding: 'utf-8', bom: true, lineEnds: 'crlf' }],
    ['a\r\nb\n', { lineEnds: 'mixed' }, { encoding: 'utf-8', lineEnds: 'mixed' }],
    [
      utf16le(`${bom}a\r\n`),
      { encoding: 'utf-16le', bom: true, lineEnds: 'crlf' },
      { encoding: 'utf-16le', bom: true, lineEnds: 'crlf' },
    ],
    [
      Buffer.from('caf\xe9\n', 'latin1'),
      { encoding: 'utf-8', lossy: true },
      { encoding: 'unknown', lineEnds: 'lf' },
    ],
  ] as const) {
    const path = scene.put('f', content);
    const text = (await call(client, 'read_text_file', { path })).facts;
    expect(text).toMatchObject(read);
    if (!('bom' in read)) expect(text).not.toHaveProperty('bom');
    if (!('lineEnds' in read)) expect(text).not.toHaveProperty('lineEnds');
    const facts = (await call(client, 'get_file_info', { path })).facts;
    expect({ encoding: facts.encoding, bom: facts.bom, lineEnds: facts.lineEnds }).toEqual({
      bom: undefined,
      ...info,
    });
  }
  const bytes = (await call(client, 'get_file_info', { path: scene.put('f', Buffer.alloc(9)) })).facts;
  expect(bytes).not.toHaveProperty('encoding');
});

test('parts of a file in another encoding are read by line and by cursor', async () => {
  const client = await scene.client({ maxOutput: 2048 });
  const lines = Array.from({ length: 400 }, (_, index) => `${index} 表あ\n`);
  const path = scene.put('f', tableOf('shift_jis').encode(lines.join(''))!);
  const encoding = 'sjis';
  const range = await call(client, 'read_text_file', { path, encoding, startLine: 3, endLine: 4 });
  expect(range.facts).toMatchObject({ text: lines.slice(2, 4).join(''), startLine: 3, endLine: 4 });
  const tail = await call(client, 'read_text_file', { path, encoding, tail: 1 });
  expect(tail.facts).toMatchObject({ text: lines.at(-1) });
  let text = '';
  let cursor: unknown;
  do {
    const part = await call(client, 'read_text_file', {
      path,
      ...(cursor === undefined ? { encoding } : { cursor }),
    });
    text += part.facts.text;
    cursor = part.facts.nextCursor;
  } while (cursor !== undefined);
  expect(text).toBe(lines.join(''));
});

test('an unknown encoding is refused with a list of the known ones', async () => {
  const client = await scene.client();
  const path = scene.put('f', 'x');
  for (const encoding of ['klingon', 'iso-2022-jp', 'utf-7', 'utf-16'])
    for (const [tool, args] of [
      ['read_text_file', {}],
      ['edit_file', { edits: [{ oldText: 'x', newText: 'y' }] }],
      ['write_file', { content: 'y' }],
    ] as const) {
      const { code, text } = await call(client, tool, { path, encoding, ...args });
      expect([encoding, tool, code, text.includes('shift_jis')]).toEqual([
        encoding,
        tool,
        'invalid-arguments',
        true,
      ]);
    }
  expect(scene.bytes('f').toString()).toBe('x');
});
