import { expect, test } from 'vitest';
import { call, inEveryRevision, newest, Scene } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  /** Edits a file with these bytes and returns its bytes afterwards. */
  const edited = async (before: Uint8Array | string, oldText: string, newText: string): Promise<Buffer> => {
    scene.put('a.txt', before);
    const client = await scene.client({ revision });
    const { failed, text } = await call(client, 'edit_file', {
      path: 'a.txt',
      edits: [{ oldText, newText }],
    });
    expect(failed, text).toBe(false);
    return scene.bytes('a.txt');
  };

  test('CRLF stays CRLF when the caller writes LF', async () => {
    const after = await edited('one\r\ntwo\r\nthree\r\n', 'one\ntwo', 'ONE\nand\ntwo');
    expect(after.toString()).toBe('ONE\r\nand\r\ntwo\r\nthree\r\n');
  });

  test('CRLF stays CRLF when the caller writes CRLF', async () => {
    const after = await edited('one\r\ntwo\r\n', 'one\r\ntwo', 'ONE\r\nTWO');
    expect(after.toString()).toBe('ONE\r\nTWO\r\n');
  });

  test('LF stays LF around one line that ends in CRLF', async () => {
    const after = await edited('one\ntwo\nthree\r\nfour\n', 'two', 'two\nand a half');
    expect(after.toString()).toBe('one\ntwo\nand a half\nthree\r\nfour\n');
  });

  test('an exact match of LF in a file with mixed line ends is replaced by exactly the new text', async () => {
    const after = await edited('one\ntwo\nthree\r\nfour\r\n', 'one\ntwo', 'one\nTWO');
    expect(after.toString()).toBe('one\nTWO\nthree\r\nfour\r\n');
  });

  test('CRLF in newText is written to a file with LF', async () => {
    const after = await edited('one\ntwo\n', 'one\n', 'one\r\n');
    expect(after.toString()).toBe('one\r\ntwo\n');
  });

  test('a byte order mark stays', async () => {
    const after = await edited('\uFEFFone\ntwo\n', 'one', 'ONE');
    expect(after.toString()).toBe('\uFEFFONE\ntwo\n');
  });

  test.each(['utf-16le', 'utf-16be'])('%s and its byte order mark stay', async (encoding) => {
    const bytes = (text: string): Buffer => {
      const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
      return encoding === 'utf-16le' ? little : little.swap16();
    };
    const after = await edited(bytes('one é 😀\r\ntwo\r\n'), 'é 😀\ntwo', 'à 😎\nTWO');
    expect(after.equals(bytes('one à 😎\r\nTWO\r\n'))).toBe(true);
  });

  test('invalid bytes stay beside ASCII edits, and non-ASCII text is refused beside them', async () => {
    const odd = Buffer.from([0xe9, 0x20, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5, 0x0a]);
    const good = Buffer.from('é 漢 😀\n');
    const around = (text: string): Buffer => Buffer.concat([odd, Buffer.from(`${text}\n`), good, odd]);
    expect((await edited(around('change me'), 'change me', 'changed')).equals(around('changed'))).toBe(true);
    // existing text is found and can be replaced
    expect((await edited(around('change 😎'), 'change 😎', 'changed')).equals(around('changed'))).toBe(true);

    scene.put('a.txt', around('change me'));
    const client = await scene.client({ revision });
    for (const place of [{ oldText: 'change me' }, { startLine: 2 }, { insertLine: 2 }]) {
      const args = { path: 'a.txt', edits: [{ ...place, newText: 'changed 😎' }] };
      const refused = await call(client, 'edit_file', args);
      expect([refused.code, refused.text.split('\n')[0]]).toEqual([
        'not-utf8',
        'not valid UTF-8, and the new text is not ASCII: a.txt',
      ]);
      expect(refused.text).toContain('set encoding to that of the file');
      expect(scene.bytes('a.txt').equals(around('change me'))).toBe(true);
    }
    const edits = [{ oldText: 'change me', newText: 'changed 😎' }];
    const { failed, text } = await call(client, 'edit_file', { path: 'a.txt', edits, encoding: 'utf-8' });
    expect(failed, text).toBe(false);
    expect(scene.bytes('a.txt').equals(around('changed 😎'))).toBe(true);
  });

  test('a last line without a line end stays without one', async () => {
    expect((await edited('one\ntwo', 'one', 'ONE')).toString()).toBe('ONE\ntwo');
    expect((await edited('one\ntwo', 'two', 'TWO')).toString()).toBe('one\nTWO');
    expect((await edited('one\ntwo\n', 'two', 'TWO')).toString()).toBe('one\nTWO\n');
  });

  test('white space is part of the match', async () => {
    scene.put('a.txt', '    if y:\n        a()\n');
    const client = await scene.client({ revision });
    const edits = [{ oldText: 'if y:\n    a()', newText: 'if z:\n    a()' }];
    expect((await call(client, 'edit_file', { path: 'a.txt', edits })).failed).toBe(true);
    expect(scene.bytes('a.txt').toString()).toBe('    if y:\n        a()\n');
  });

  test('an empty newText removes', async () => {
    expect((await edited('one\ntwo\nthree\n', 'two\n', '')).toString()).toBe('one\nthree\n');
    expect((await edited('one', 'one', '')).toString()).toBe('');
  });
});

test('a lone surrogate in newText is refused instead of written as U+FFFD', async () => {
  for (const before of [Buffer.from('one\n'), Buffer.from([0xe9, 0x6f, 0x6e, 0x65])]) {
    scene.put('a.txt', before);
    const client = await scene.client({ revision: newest });
    const edits = [{ oldText: 'one', newText: 'x\udc80y' }];
    const { failed } = await call(client, 'edit_file', { path: 'a.txt', edits });
    expect([failed, scene.bytes('a.txt').equals(before)]).toEqual([true, true]);
  }
});

test('with encoding latin1 every byte is a character', async () => {
  scene.put('a.txt', Buffer.from('caf\xe9 \x80\xff\r\nna\xefve\r\n', 'latin1'));
  const client = await scene.client({ revision: newest });
  const edits = [
    { oldText: 'caf\u00e9 \u0080', newText: '\u00dcber' },
    { startLine: 2, newText: 'd\u00e9j\u00e0\nvu' },
  ];
  const { failed, facts } = await call(client, 'edit_file', { path: 'a.txt', edits, encoding: 'latin1' });
  expect([failed, facts.diff.includes('+\u00dcber\u00ff\r\n')]).toEqual([false, true]);
  expect(scene.bytes('a.txt').toString('latin1')).toBe('\u00dcber\u00ff\r\nd\u00e9j\u00e0\r\nvu\r\n');
});

test('a character that latin1 cannot encode is refused with its code point and nothing is written', async () => {
  scene.put('a.txt', Buffer.from('caf\xe9\n', 'latin1'));
  const client = await scene.client({ revision: newest });
  for (const [one, message] of [
    [{ oldText: 'caf\u00e9', newText: '5 \u20ac' }, 'newText has U+20AC, which latin1 cannot encode'],
    [{ startLine: 1, newText: '😀' }, 'newText has U+1F600, which latin1 cannot encode'],
    [
      { oldText: '\u20ac', newText: 'x' },
      'oldText was not found; it must match exactly, including white space',
    ],
  ] as const) {
    const args = { path: 'a.txt', edits: [one], encoding: 'latin1' };
    const { failed, text } = await call(client, 'edit_file', args);
    expect([failed, text.split('\n')[0]]).toEqual([true, message]);
    expect(scene.bytes('a.txt').toString('latin1')).toBe('caf\xe9\n');
  }
});

test('UTF-16 of an odd number of bytes is refused', async () => {
  scene.put('a.txt', Buffer.from([0xff, 0xfe, 0x61]));
  const client = await scene.client({ revision: newest });
  const edits = [{ insertLine: 0, newText: 'x' }];
  expect((await call(client, 'edit_file', { path: 'a.txt', edits })).code).toBe('not-text');
});

test('a text is not found at an odd offset of UTF-16', async () => {
  // the bytes of U+6100 U+6200, read one byte later, are those of "a" and "b"
  const bytes = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  scene.put('a.txt', bytes('\u6100\u6200\u0100 ab'));
  const client = await scene.client({ revision: newest });
  const edits = [{ oldText: 'ab', newText: 'x' }];
  expect((await call(client, 'edit_file', { path: 'a.txt', edits })).failed).toBe(false);
  expect(scene.bytes('a.txt').equals(bytes('\u6100\u6200\u0100 x'))).toBe(true);
});
