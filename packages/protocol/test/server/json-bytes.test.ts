import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, handshakeRevisions, JsonBytes, reply, tool, Utf8Text } from '../../src/index.ts';
import { stringify } from '../../src/protocol/json-text.ts';
import { talkTo } from './talk.ts';

const rows = '[[1,"wat\\"er €"],[2,{"$blob":"AA==","bytes":1}],[9007199254740993,5.0]]';

function written(value: unknown): string {
  const text = stringify(value);
  return typeof text === 'string' ? text : Buffer.concat(text.map((piece) => Buffer.from(piece))).toString();
}

test('JSON bytes are written unchanged, next to texts that are bytes', () => {
  const value = {
    a: new JsonBytes(Buffer.from(rows)),
    b: new Utf8Text(Buffer.from('a "text"\n')),
    c: [new JsonBytes([Buffer.from('['), Buffer.from('1.50]')]), 'c', new JsonBytes(Buffer.from('null'))],
  };
  expect(written(value)).toBe(`{"a":${rows},"b":"a \\"text\\"\\n","c":[[1.50],"c",null]}`);
  expect(written(new JsonBytes(Buffer.from(rows)))).toBe(rows);
});

test('many JSON bytes stay separate pieces, so that nothing is copied', () => {
  const bytes = Buffer.from(`[${'1,'.repeat(20_000)}1]`);
  const text = stringify({ rows: new JsonBytes(bytes) }) as readonly (string | Uint8Array)[];
  expect(text.includes(bytes)).toBe(true);
  expect(written({ rows: new JsonBytes(bytes) })).toBe(`{"rows":${bytes.toString()}}`);
});

test('outside of a result they are their parsed value', () => {
  const bytes = new JsonBytes(Buffer.from('[1,{"a":2}]'));
  expect(JSON.parse(JSON.stringify({ bytes }))).toEqual({ bytes: [1, { a: 2 }] });
  expect([bytes.byteLength, bytes.toString()]).toEqual([11, '[1,{"a":2}]']);
});

const list = tool({
  name: 'list',
  description: 'Lists.',
  input: z.object({}),
  output: z.object({ rows: z.array(z.array(z.unknown())) }),
  run: () => reply({ structured: { rows: new JsonBytes(Buffer.from(rows)) }, content: '3 rows' }),
});
const broken = tool({
  ...list,
  name: 'broken',
  run: () => reply({ structured: { rows: new JsonBytes(Buffer.from('[1]')) }, content: '' }),
});

describe.each(handshakeRevisions)('in %s', (revision) => {
  test('a result has them in its structured content, if there is any', async () => {
    const talk = await talkTo(createServer({ name: 'a', version: '1.0.0', tools: [list] }), revision);
    const { result } = await talk.request('tools/call', { name: 'list', arguments: {} });
    const structured = revision >= '2025-06-18' ? { structuredContent: { rows: JSON.parse(rows) } } : {};
    expect(result).toMatchObject({ content: [{ type: 'text', text: '3 rows' }], ...structured });
  });
});

test('they are validated against the output schema as any value', async () => {
  const talk = await talkTo(createServer({ name: 'a', version: '1.0.0', tools: [broken] }), '2025-11-25');
  const { result } = await talk.request('tools/call', { name: 'broken', arguments: {} });
  expect((result as { isError: boolean }).isError).toBe(true);
});
