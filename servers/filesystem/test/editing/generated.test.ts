import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { full, tenth } from '../../../../test/extent.ts';
import { call, newest, Scene } from '../harness.ts';
import { type Edit, reference } from './reference.ts';

const scene = new Scene();

/** Encodings of the generated texts, whose characters all of them have. */
const codings: Record<string, { write: (text: string) => Buffer; args?: object }> = {
  'utf-8': { write: (text) => Buffer.from(text) },
  'utf-8 with mark': { write: (text) => Buffer.from(`\uFEFF${text}`) },
  'utf-16le': { write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le') },
  'utf-16be': { write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16() },
  latin1: { write: (text) => Buffer.from(text, 'latin1'), args: { encoding: 'latin1' } },
};

/** Returns a generator of pseudo-random numbers with a fixed seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

test.each(Object.entries(codings))(
  'generated edits of %s files do what a plain implementation does, to the byte',
  async (name, { write, args }) => {
    const client = await scene.client({ revision: newest });
    const below = numbers(name.length * 7919);
    const piece = (most: number): string =>
      Array.from({ length: below(most) }, () => 'ab\u00e9 '[below(4)]).join('');
    const line = (): string => `${piece(4)}${below(3) === 0 ? '\r\n' : '\n'}`;
    const text = (most: number): string =>
      Array.from({ length: below(most) }, line).join('') + (below(2) === 0 ? piece(3) : '');
    const count = { refused: 0, done: 0 };
    for (let round = 0; round < tenth(200); round++) {
      const before = text(12);
      const edits: Edit[] = [];
      for (let wanted = 1 + below(3); wanted > 0; wanted--) {
        const start = below(before.length + 1);
        const found = before.slice(start, start + 1 + below(5));
        const oldText = below(2) === 0 ? found.replaceAll('\r\n', '\n') : found;
        const newText = text(3);
        const first = 1 + below(6);
        const form = below(4);
        if (form === 0) edits.push({ startLine: first, endLine: first + below(3), newText });
        else if (form === 1) edits.push({ insertLine: below(7), newText: newText || '\n' });
        else if (oldText !== '' && oldText !== newText) {
          const more = [{}, { replaceAll: true }, { expected: 1 + below(3) }][below(3)]!;
          edits.push({ oldText, newText, ...more });
        }
      }
      if (edits.length === 0) continue;
      scene.put('a.txt', write(before));
      const after = reference(before, edits);
      const result = await call(client, 'edit_file', { path: 'a.txt', edits, ...args });
      const description = `round ${round}: ${JSON.stringify({ before, edits })}: ${result.text}`;
      expect(result.failed, description).toBe(after === undefined);
      expect(scene.bytes('a.txt').equals(write(after ?? before)), description).toBe(true);
      if (after !== undefined) expect(result.facts.applied, description).toBe(after !== before);
      count[after === undefined ? 'refused' : 'done'] += 1;
    }
    // both happen often enough to tell something
    expect([count.refused >= tenth(30), count.done >= tenth(50)], JSON.stringify(count)).toEqual([
      true,
      true,
    ]);
  },
);

test('bytes beside an edit stay, whatever they are', async () => {
  const client = await scene.client({ revision: newest });
  const below = numbers(4099);
  const count = { refused: 0, done: 0 };
  for (let round = 0; round < tenth(100); round++) {
    // some of them are valid text
    const most = round % 4 === 0 ? 127 : 255;
    const odd = (): Buffer => Buffer.from(Array.from({ length: below(40) }, () => 1 + below(most)));
    const [lead, trail] = [odd(), odd()];
    // a UTF-16 byte order mark would change the encoding
    if ((lead[0] ?? 0) >= 0xfe) lead[0] = 0x80;
    scene.put('a.txt', Buffer.concat([lead, Buffer.from('<old text>'), trail]));
    const before = scene.bytes('a.txt');
    for (const [newText, args, encoding] of [
      ['<new>', {}, 'utf8'],
      ['<n\u00e9w>', {}, 'utf8'],
      ['<n\u00e9w>', { encoding: 'utf-8' }, 'utf8'],
      ['<n\u00e9w>', { encoding: 'latin1' }, 'latin1'],
    ] as const) {
      scene.put('a.txt', before);
      const edits = [{ oldText: '<old text>', newText }];
      const { failed, code, text } = await call(client, 'edit_file', { path: 'a.txt', edits, ...args });
      const description = `round ${round}: ${lead.toString('hex')}: ${text}`;
      const refused = newText !== '<new>' && !('encoding' in args) && !isUtf8(before);
      expect([failed, code], description).toEqual(refused ? [true, 'not-utf8'] : [false, undefined]);
      const after = Buffer.concat([lead, Buffer.from(newText, encoding), trail]);
      expect(scene.bytes('a.txt').equals(refused ? before : after), description).toBe(true);
      count[refused ? 'refused' : 'done'] += 1;
    }
  }
  // both occur often enough for the test to be meaningful
  expect([count.refused > tenth(50), count.done > tenth(310)], JSON.stringify(count)).toEqual([true, true]);
});

test('a text is found at any position, however repetitive it is', async () => {
  const client = await scene.client({ revision: newest });
  const below = numbers(31);
  const size = 300_000;
  for (let round = 0; round < (full ? 12 : 4); round++) {
    const length = [64, 150_000, 65, 5000, 1, 63][round % 6]!;
    const start = [0, 131_072 - below(length), 262_144 - below(length), size - length][below(4)]!;
    // few distinct bytes, so that nearly every offset is a near match
    const file = Buffer.alloc(size, 'a');
    const searched = Buffer.alloc(length, 'a');
    const odd = below(length);
    searched[odd] = 98;
    searched.copy(file, start);
    scene.put('a.txt', file);
    const edits = [{ oldText: searched.toString(), newText: 'X' }];
    const { failed, text } = await call(client, 'edit_file', { path: 'a.txt', edits });
    expect(failed, `${length} at ${start}: ${text.slice(0, 80)}`).toBe(false);
    const after = Buffer.concat([file.subarray(0, start), Buffer.from('X'), file.subarray(start + length)]);
    expect(scene.bytes('a.txt').equals(after), `${length} at ${start}`).toBe(true);
  }
});
