import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { call, halves, newest, readOn, Scene } from '../harness.ts';
import { type Coding, decode, numbers } from './reference.ts';

const scene = new Scene();

const codings: Coding[] = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'];
/** Pieces of text; the rare ones put single wide characters among narrow ones. */
const alphabets = [
  'a',
  'ab\n',
  'a\r\n',
  'a\r',
  '\n',
  'a"\\\t\u0001',
  'a\u00e9\u6f22\u{1f600}\n',
  '\uFEFFa\n',
];
const rare = ['\u{1f600}', '\u6f22', '\n', '\r\n', '\ud800', '\udc00', '\uFEFF'];
/** Invalid UTF-8, including truncated characters. */
const broken = ['ff', 'c3', 'e282', 'f09f98', '80', 'eda080', 'c080', 'f4908080'];

type Below = (limit: number) => number;

function textOf(below: Below, most: number): string {
  const letters = Array.from(alphabets[below(alphabets.length)]!);
  const often = [4, 50, 2000][below(3)]!;
  const parts: string[] = [];
  for (let left = below(most); left > 0; left--)
    parts.push(below(often) === 0 ? rare[below(rare.length)]! : letters[below(letters.length)]!);
  return parts.join('');
}

function bytesOf(below: Below, coding: Coding, most: number): Buffer {
  const text = textOf(below, most);
  const mark = below(3) === 0 ? '\uFEFF' : '';
  if (coding === 'latin1')
    return Buffer.from(text.replaceAll('\0', ' '), 'latin1').map((byte) => byte || 32) as Buffer;
  if (coding === 'utf-8') {
    const half = below(text.length + 1);
    const odd = below(3) === 0 ? broken[below(broken.length)]! : '';
    return Buffer.concat([
      Buffer.from(mark + text.slice(0, half)),
      Buffer.from(odd, 'hex'),
      Buffer.from(text.slice(half)),
    ]);
  }
  const little = Buffer.from(mark + text, 'utf16le');
  const units = coding === 'utf-16le' ? little : little.swap16();
  return below(4) === 0 ? Buffer.concat([units, Buffer.of(0x61)]) : units;
}

/** Returns the encoding argument, sometimes omitted if the file has a byte order mark. */
function encodingOf(below: Below, coding: Coding, bytes: Buffer): { encoding?: Coding } {
  const known = coding === 'utf-8' || (coding !== 'latin1' && decode(bytes, coding).marked);
  return known && below(2) === 0 ? {} : { encoding: coding };
}

/** Returns arguments that select lines, and the expected lines. */
function formOf(below: Below, lines: string[]): { form: Record<string, number>; wanted: string[] } {
  const count = 1 + below(lines.length + 3);
  const startLine = 1 + below(lines.length + 3);
  const endLine = startLine + below(lines.length + 3);
  return [
    { form: {}, wanted: lines },
    { form: { head: count }, wanted: lines.slice(0, count) },
    { form: { startLine }, wanted: lines.slice(startLine - 1) },
    { form: { startLine, endLine }, wanted: lines.slice(startLine - 1, endLine) },
  ][below(4)]!;
}

/** Returns the number of the line in which the text after this one begins. */
const lineAfter = (text: string): number => text.split('\n').length;

const sizes = [
  ['small', 60, 40],
  ['one page and more', 40, 6000],
  ['large', 4, 320_000],
] as const;

test.each(codings.flatMap((coding) => sizes.map(([size, rounds, most]) => ({ coding, size, rounds, most }))))(
  'pages of generated $coding files ($size) equal those of a reference implementation',
  async ({ coding, size, rounds, most }) => {
    const below = numbers(coding.length * 7919 + size.length * 31 + coding.charCodeAt(4));
    for (let round = 0; round < tenth(rounds); round++) {
      const bytes = bytesOf(below, coding, most);
      const { text, lines } = decode(bytes, coding);
      const { form, wanted } = formOf(below, lines);
      const maxOutput = size === 'large' ? 70_000 + below(60_000) : 1024 + below(1500);
      scene.put('a.txt', bytes);
      const client = await scene.client({ revision: newest, maxOutput });
      const lineNumbers = below(3) === 0;
      const args = { path: 'a.txt', ...encodingOf(below, coding, bytes), lineNumbers, ...form };
      const parts = await readOn(client, args);
      const description = `round ${round}: ${JSON.stringify({ args, maxOutput })} of ${bytes.toString('hex', 0, 600)}`;
      expect(parts.map(({ facts }) => facts.text).join('') === wanted.join(''), description).toBe(true);
      let before = lines.slice(0, (form.startLine ?? 1) - 1).join('');
      for (const { facts, result } of parts) {
        if (facts.text !== '') {
          const first = lineAfter(before);
          const last = lineAfter(before + facts.text.replace(/\n$/, ''));
          expect([facts.startLine, facts.endLine], description).toEqual([first, last]);
        }
        expect(facts.totalLines, description).toBe(lines.length);
        expect(facts.size, description).toBe(bytes.length);
        const { content, structured } = halves(result);
        expect(
          [content <= maxOutput, structured <= maxOutput],
          `${description}: ${content}, ${structured}`,
        ).toEqual([true, true]);
        before += facts.text;
      }
      expect(
        parts.map(({ facts }) => facts.truncated),
        description,
      ).toEqual(parts.map((_, at) => at < parts.length - 1));
      if (coding === 'utf-8' && !text.includes('\uFFFD'))
        expect(
          parts.some(({ facts }) => facts.lossy === true),
          description,
        ).toBe(false);
    }
  },
);

test.each(codings.flatMap((coding) => sizes.map(([size, rounds, most]) => ({ coding, size, rounds, most }))))(
  'the tail of generated $coding files ($size) equals that of a reference implementation',
  async ({ coding, size, rounds, most }) => {
    const below = numbers(coding.length * 104_729 + size.length * 31 + coding.charCodeAt(4));
    for (let round = 0; round < tenth(rounds); round++) {
      const bytes = bytesOf(below, coding, most);
      const { text, lines } = decode(bytes, coding);
      const tail = 1 + below(lines.length + 3);
      const wanted = lines.slice(-tail).join('');
      const maxOutput = size === 'large' ? 70_000 + below(60_000) : 1024 + below(1500);
      scene.put('a.txt', bytes);
      const client = await scene.client({ revision: newest, maxOutput });
      const args = { path: 'a.txt', ...encodingOf(below, coding, bytes), lineNumbers: below(3) === 0, tail };
      const { facts, result, failed, text: message } = await call(client, 'read_text_file', args);
      const description = `round ${round}: ${JSON.stringify({ args, maxOutput })} of ${bytes.toString('hex', 0, 600)}`;
      expect(failed, `${description}: ${message}`).toBe(false);
      expect(wanted.endsWith(facts.text), description).toBe(true);
      expect(facts.truncated, description).toBe(facts.text.length < wanted.length);
      if (facts.truncated) {
        const used =
          Buffer.byteLength(JSON.stringify(facts.text)) +
          (args.lineNumbers ? facts.text.split('\n').length * 8 : 0);
        expect(used, description).toBeGreaterThan((maxOutput - 640) / 3);
      }
      const start = text.slice(0, text.length - facts.text.length);
      if (facts.text !== '') expect(facts.startLine, description).toBe(lineAfter(start));
      expect(facts.endLine, description).toBe(lines.length);
      const { content, structured } = halves(result);
      expect(
        [content <= maxOutput, structured <= maxOutput],
        `${description}: ${content}, ${structured}`,
      ).toEqual([true, true]);
    }
  },
);
