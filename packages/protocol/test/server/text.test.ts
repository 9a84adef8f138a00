import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import * as z from 'zod';
import { tenth } from '../../../../test/extent.ts';
import { createServer, handshakeRevisions, type Revision, reply, tool, Utf8Text } from '../../src/index.ts';
import { escapeByTable, escapeJson, SLICE_BYTES } from '../../src/protocol/escape.ts';
import { stringify } from '../../src/protocol/json-text.ts';
import { talkTo } from './talk.ts';

const controls = String.fromCharCode(...Array.from({ length: 0x20 }, (_, code) => code));
const samples = [
  '',
  controls,
  `${controls}"\\/\u007f\u0080\u2028\u2029`,
  '"""\\\\\\"',
  'äöü€',
  '💥'.repeat(5),
  '\ufeffmark',
  '\u{10ffff}\uffff',
  'utf8:abc utf8: utf8',
  '\n'.repeat(100),
];

/** Returns the body of the string that JSON.stringify writes. */
function body(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function check(text: string): void {
  const bytes = Buffer.from(text);
  const wanted = body(text);
  const newlines = text.split('\n').length - 1;
  for (const toEscaped of [escapeJson, escapeByTable]) {
    const escaped = toEscaped(bytes);
    expect(escaped.newlines).toBe(newlines);
    // comparing texts of this size by `toBe` would print them
    expect(Buffer.from(escaped.body).equals(Buffer.from(wanted))).toBe(true);
    expect(escaped.bytes).toBe(Buffer.byteLength(wanted));
  }
}

/** Checks a property with a seed that a failure prints. */
function holds<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void, numRuns = 300): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns: tenth(numRuns), verbose: 1 });
}

const unit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', ' ', 'x') },
  { weight: 2, arbitrary: fc.constantFrom(...controls.split(''), '"', '\\') },
  { weight: 1, arbitrary: fc.constantFrom('ä', '€', '💥', '\u2028', '\u007f') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);
const words = fc.array(unit, { maxLength: 200 }).map((units) => units.join('').toWellFormed());

test.each(samples)('text %j is escaped as JSON.stringify does', (text) => {
  check(text);
});

test('every single byte below 0x80 is escaped as JSON.stringify does, at any position of a block', () => {
  for (let code = 0; code < 0x80; code++) {
    for (const before of [0, 1, 7, 14, 15, 16, 17, 31])
      check('x'.repeat(before) + String.fromCharCode(code) + 'y'.repeat(20));
    check(String.fromCharCode(code).repeat(33));
  }
});

test('any text is escaped as JSON.stringify does', () => {
  holds(words, check);
});

test('texts of lengths around those of blocks and slices are escaped completely, whatever came before', () => {
  const special = fc.constantFrom('', '"', '\n', '\u0001', '\\');
  const lengths = [15, 16, 17, 31, 32, 33, 65_535, 65_536, 65_537, SLICE_BYTES - 1, SLICE_BYTES];
  holds(
    fc.record({ length: fc.constantFrom(...lengths), end: special, before: words, start: special }),
    ({ length, end, before, start }) => {
      check(before); // leaves its bytes in the memory of the machine
      check((start + 'x'.repeat(length)).slice(0, length - end.length) + end);
    },
    100,
  );
});

test('a slice in which everything is escaped to six characters has room', () => {
  check('\u0001'.repeat(SLICE_BYTES));
  expect(() => escapeJson(Buffer.alloc(SLICE_BYTES + 1))).toThrow(RangeError);
});

test('escaped bytes stay unchanged when more is escaped', () => {
  const first = escapeJson(Buffer.from('first "text"'));
  escapeJson(Buffer.from('second\ntext!'));
  expect(first.body).toBe('first \\"text\\"');
});

test('the compiled machine in escape.ts is escape.wat', async () => {
  const source = (name: string): string =>
    readFileSync(new URL(`../../src/protocol/${name}`, import.meta.url), 'utf8');
  const compiler = await wabt();
  const module = compiler.parseWat('escape.wat', source('escape.wat'), { simd: true });
  module.validate();
  const compiled = Buffer.from(module.toBinary({}).buffer).toString('base64');
  module.destroy();
  const [, held] = /const code =\s*'([A-Za-z0-9+/=]+)';/.exec(source('escape.ts'))!;
  expect(held).toBe(compiled);
});

/** Returns JSON text as one string. */
function joined(pieces: ReturnType<typeof stringify>): string {
  if (typeof pieces === 'string') return pieces;
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))).toString();
}

describe('Utf8Text', () => {
  const long = `${'line "with" \\ and ä\n'.repeat(30_000)}end`;

  test('at any position of a value it is written as the string would be', () => {
    const shape = (of: (text: string) => unknown) =>
      fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: 'small' },
          words.map(of),
          words,
          fc.integer(),
          fc.constantFrom(null, true),
          fc.array(tie('value'), { maxLength: 4 }),
          fc.dictionary(words, tie('value'), { maxKeys: 4 }),
        ),
      })).value;
    const revive = (value: unknown): unknown => {
      if (value instanceof Utf8Text) return value.toString();
      if (Array.isArray(value)) return value.map(revive);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member)]));
    };
    holds(
      shape((text) => new Utf8Text(Buffer.from(text))),
      (value) => {
        expect(joined(stringify(value))).toBe(JSON.stringify(revive(value)));
        expect(joined(stringify(value))).toBe(JSON.stringify(value));
      },
    );
  });

  test('everything around it is written as JSON.stringify does', () => {
    const odd: unknown[] = [
      undefined,
      () => 1,
      Symbol('s'),
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      -0,
      1e21,
      new Date(0),
      { toJSON: () => 'own' },
      new Map([[1, 2]]),
      Object.assign(Object.create({ inherited: 1 }), { own: 2 }),
      Object.assign(Object.create(null), { bare: 1 }),
      JSON.parse('{"__proto__":{"a":1},"2":2,"1":1}'),
      'lone \ud800 surrogate',
      Array.from({ length: 30 }, (_, index) => ({ index })),
      Array(2),
      Object('boxed'),
      { deep: { deeper: { deepest: [{ end: 'ä"' }] } } },
    ];
    const text = new Utf8Text(Buffer.from('"text"\n'));
    for (const value of [...odd, odd])
      for (const shape of [
        [value],
        { value },
        { text, value },
        { content: [{ value, text }], value: [value] },
      ])
        expect(joined(stringify(shape))).toBe(JSON.stringify(shape));
  });

  test.each(['short\ntext', '', '\n', 'ends\n', long, `${long}\n`])(
    'has its size, its lines and its end (%#)',
    async (text) => {
      const bytes = Buffer.from(text);
      const own = new Utf8Text(bytes);
      expect(own.byteLength).toBe(bytes.length);
      expect(own.jsonBytes).toBe(Buffer.byteLength(JSON.stringify(text)));
      expect(own.newlines).toBe(text.split('\n').length - 1);
      expect(own.endsWithNewline).toBe(text === '' || text.endsWith('\n'));
      expect(own.toString() === text).toBe(true);
      expect(JSON.stringify({ own }) === JSON.stringify({ own: text })).toBe(true);
    },
  );

  test('the buffer of a short text may be reused', () => {
    const bytes = Buffer.from('first');
    const own = new Utf8Text(bytes);
    bytes.fill(0x78);
    expect([own.toString(), joined(stringify([own]))]).toEqual(['first', '["first"]']);
  });

  test('characters that are split by slices stay complete', () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = 'x'.repeat(shift) + '💥€ä"'.repeat(Math.ceil(SLICE_BYTES / 5));
      const own = new Utf8Text(Buffer.from(text));
      expect(own.escaped.length).toBeGreaterThan(1);
      expect(joined(stringify({ own })) === JSON.stringify({ own: text })).toBe(true);
    }
  });

  test('a large text is prepared in several turns', async () => {
    const own = new Utf8Text(Buffer.alloc(40 * SLICE_BYTES, 'x\n'));
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await own.prepare();
    over = true;
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(own.newlines).toBe(20 * SLICE_BYTES);
    await own.prepare();
    expect(own.jsonBytes).toBe(60 * SLICE_BYTES + 2);
  });

  test('a value that cannot be written does not affect the next one', () => {
    const own = new Utf8Text(Buffer.from('a'));
    expect(() => stringify([own, 5n])).toThrow(TypeError);
    expect(JSON.stringify(own)).toBe('"a"');
    expect(joined(stringify([own]))).toBe('["a"]');
  });

  const revisions: Revision[] = [...handshakeRevisions, '2026-07-28'];
  test.each(revisions)(
    '%s: the same text twice in a result arrives as the same string twice',
    async (revision) => {
      const tools = ['short "text"\n', 'utf8:abc utf8:', long].map((text, index) => {
        const own = new Utf8Text(Buffer.from(text));
        return tool({
          name: `t${index}`,
          description: 'd',
          input: z.object({}),
          output: z.object({ text: z.string(), again: z.string() }),
          run: () => reply({ structured: { text: own, again: text }, content: own }),
        });
      });
      const talk = await talkTo(createServer({ name: 'x', version: '1', tools }), revision);
      for (const [index, text] of ['short "text"\n', 'utf8:abc utf8:', long].entries()) {
        for (let time = 0; time < 2; time++) {
          const { result } = await talk.call(`t${index}`);
          expect(result.content[0].text === text).toBe(true);
          if (revision < '2025-06-18') continue;
          expect(result.structuredContent.text === text && result.structuredContent.again === text).toBe(
            true,
          );
        }
      }
    },
  );
});
