import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { call, newest, Scene } from '../harness.ts';

const scene = new Scene();

/** Applies a unified diff strictly: every line must be at the position that the diff gives. */
function apply(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines = diff.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  let index = 2; // the two names
  while (index < lines.length) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(lines[index]!);
    if (header === null) throw new Error(`no hunk: ${JSON.stringify(lines[index])}`);
    const [oldStart, oldCount, newStart, newCount] = [
      header[1],
      header[2] ?? '1',
      header[3],
      header[4] ?? '1',
    ].map(Number);
    const start = oldCount === 0 ? oldStart! : oldStart! - 1;
    result.push(...old.slice(at, start));
    at = start;
    if (result.length !== (newCount === 0 ? newStart! : newStart! - 1))
      throw new Error(`hunk at a wrong new line: ${header[0]}`);
    let [removed, added] = [0, 0];
    for (index += 1; index < lines.length && !lines[index]!.startsWith('@@ '); index++) {
      const bare = lines[index + 1]?.startsWith('\\ No newline') === true;
      const text = bare ? lines[index]!.slice(1, -1) : lines[index]!.slice(1);
      const sign = lines[index]![0];
      if (sign !== '+') {
        if (old[at] !== text)
          throw new Error(`line ${at + 1} is ${JSON.stringify(old[at])}, not ${JSON.stringify(text)}`);
        at += 1;
        removed += 1;
      }
      if (sign !== '-') {
        result.push(text);
        added += 1;
      }
      if (bare) index += 1;
    }
    if (removed !== oldCount || added !== newCount) throw new Error(`wrong counts: ${header[0]}`);
  }
  return [...result, ...old.slice(at)].join('');
}

async function diffOf(
  client: Client,
  before: string,
  edits: object[],
): Promise<{ diff: string; after: string }> {
  scene.put('a.txt', before);
  const { failed, text, facts } = await call(client, 'edit_file', { path: 'a.txt', edits });
  expect(failed, text).toBe(false);
  return { diff: facts.diff, after: scene.bytes('a.txt').toString() };
}

test('the diff applier of these tests refuses a wrong diff', () => {
  expect(() => apply('a\nb\n', '--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-c\n+d\n')).toThrow('line 2');
  expect(() => apply('a\nb\n', '--- x\n+++ x\n@@ -1,3 +1,2 @@\n a\n-b\n+d\n')).toThrow('counts');
  expect(apply('a\nb\n', '--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+d\n')).toBe('a\nd\n');
});

test.each<[string, string, object[]]>([
  ['at the start', 'a\nb\nc\n', [{ oldText: 'a\n', newText: 'x\ny\n' }]],
  ['at the end', 'a\nb\nc\n', [{ oldText: 'c\n', newText: 'c\nd\n' }]],
  ['all of it', 'a\n', [{ oldText: 'a\n', newText: '' }]],
  ['into one line', 'a', [{ oldText: 'a', newText: 'b' }]],
  ['a line end added at the end', 'a\nb', [{ oldText: 'b', newText: 'b\n' }]],
  ['a line end removed at the end', 'a\nb\n', [{ oldText: 'b\n', newText: 'b' }]],
  [
    'far apart',
    `a\n${'m\n'.repeat(40)}z\n`,
    [
      { oldText: 'a\n', newText: 'A\n' },
      { oldText: 'z\n', newText: 'Z\n' },
    ],
  ],
  [
    'six lines apart',
    `a\n${'1\n2\n3\n4\n5\n6\n'}z\n`,
    [
      { oldText: 'a\n', newText: 'A\n' },
      { oldText: 'z\n', newText: 'Z\n' },
    ],
  ],
  [
    'seven lines apart',
    `a\n${'1\n2\n3\n4\n5\n6\n7\n'}z\n`,
    [
      { oldText: 'a\n', newText: 'A\n' },
      { oldText: 'z\n', newText: 'Z\n' },
    ],
  ],
  ['line ends alone', 'a\nb\n', [{ oldText: 'a\n', newText: 'a\r\n' }]],
  [
    'lines that all look the same',
    'x\n'.repeat(9),
    [{ oldText: 'x\nx\nx\n', newText: 'x\ny\n', replaceAll: true }],
  ],
  ['lines that begin like a diff', '--- a\n+++ b\n@@ -1 +1 @@\n-x\n', [{ oldText: '-x', newText: '+x' }]],
])('a diff %s leads from the old text to the new', async (_where, before, edits) => {
  const client = await scene.client({ revision: newest });
  const { diff, after } = await diffOf(client, before, edits);
  expect(after).not.toBe(before);
  expect(apply(before, diff)).toBe(after);
});

test('generated edits: every diff leads from the old text to the new', async () => {
  const client = await scene.client({ revision: newest, maxOutput: 10_000_000 });
  let seed = 20_260_728;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % limit;
  };
  const line = (): string =>
    `${'abcdefgh'[below(8)]}${below(4) === 0 ? below(1000) : ''}${below(20) === 0 ? '\r' : ''}\n`;
  for (let round = 0; round < tenth(300); round++) {
    const lines = Array.from({ length: 1 + below(60) }, line);
    if (below(3) === 0) lines.push('no line end');
    const before = lines.join('');
    let text = before;
    const edits: { oldText: string; newText: string; replaceAll: boolean }[] = [];
    for (let wanted = 1 + below(5); wanted > 0 && text !== ''; wanted--) {
      const start = below(text.length);
      const oldText = text.slice(start, start + 1 + below(30));
      const newText = Array.from({ length: below(4) }, line).join('') + (below(2) === 0 ? 'tail' : '');
      if (oldText === newText || text.includes('\r')) continue;
      const replaceAll = text.split(oldText).length > 2;
      edits.push({ oldText, newText: newText.replaceAll('\r', ''), replaceAll });
      if (edits.at(-1)!.newText === oldText) edits.pop();
      else
        text = replaceAll
          ? text.split(oldText).join(edits.at(-1)!.newText)
          : text.slice(0, start) + edits.at(-1)!.newText + text.slice(start + oldText.length);
    }
    if (edits.length === 0) continue;
    const { diff, after } = await diffOf(client, before, edits);
    expect(after, `round ${round}`).toBe(text);
    expect(after === before ? diff : apply(before, diff), `round ${round}`).toBe(
      after === before ? '' : after,
    );
  }
});

test('another call is answered while the diff of a large change is made', async () => {
  const before = Array.from({ length: 50_000 }, (_, index) => `unique ${index}\nold\n`).join('');
  scene.put('a.txt', before);
  const client = await scene.client({ revision: newest, maxOutput: 10_000_000 });
  const order: string[] = [];
  const edits = [{ oldText: 'old', newText: 'new', replaceAll: true }];
  const edited = call(client, 'edit_file', { path: 'a.txt', edits });
  const [{ facts }] = await Promise.all([
    edited.finally(() => order.push('edit')),
    call(client, 'list_allowed_directories').then(() => order.push('other')),
  ]);
  expect(apply(before, facts.diff) === scene.bytes('a.txt').toString()).toBe(true);
  expect(order).toEqual(['other', 'edit']);
});
