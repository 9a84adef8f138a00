import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, newest, type Outcome, Scene } from '../harness.ts';

const scene = new Scene();

// calls in the arguments of the official filesystem server that it was measured to handle wrongly

async function edit(
  before: string | Uint8Array,
  edits: readonly object[],
  more: object = {},
): Promise<Outcome> {
  scene.put('a.txt', before);
  const client = await scene.client({ revision: newest });
  return call(client, 'edit_file', { path: scene.at('a.txt'), edits, ...more });
}

test('its arguments are accepted', async () => {
  const { failed, facts } = await edit('a\nb\n', [{ oldText: 'a\n', newText: 'x\n' }], { dryRun: true });
  expect([failed, facts.applied, scene.bytes('a.txt').toString()]).toEqual([false, false, 'a\nb\n']);
  expect((await edit('a\nb\n', [{ oldText: 'a\n', newText: 'x\n' }], { dryRun: false })).failed).toBe(false);
  expect(scene.bytes('a.txt').toString()).toBe('x\nb\n');
});

test('an ambiguous oldText edits nothing', async () => {
  const { failed } = await edit('if x:\n    go()\nif x:\n    go()\n', [
    { oldText: 'go()', newText: 'stop()' },
  ]);
  expect([failed, scene.bytes('a.txt').includes('stop')]).toEqual([true, false]);
});

test('an empty oldText inserts nothing at the start', async () => {
  const { failed } = await edit('a\n', [{ oldText: '', newText: 'x' }]);
  expect([failed, scene.bytes('a.txt').toString()]).toEqual([true, 'a\n']);
});

test('a file with CRLF keeps it, also in lines that are not edited', async () => {
  await edit('one\r\ntwo\r\nthree\r\n', [{ oldText: 'two\n', newText: '2\n' }]);
  expect(scene.bytes('a.txt').toString()).toBe('one\r\n2\r\nthree\r\n');
});

test('a latin1 byte elsewhere in the file stays', async () => {
  await edit(Buffer.from('caf\xe9\nchange\n', 'latin1'), [{ oldText: 'change', newText: 'changed' }]);
  expect(scene.bytes('a.txt').toString('latin1')).toBe('caf\xe9\nchanged\n');
});

test('UTF-16 is text', async () => {
  await edit(Buffer.from('\uFEFFone\n', 'utf16le'), [{ oldText: 'one', newText: 'two' }]);
  expect(scene.bytes('a.txt').toString('utf16le')).toBe('\uFEFFtwo\n');
});

test('text with another indentation is not replaced', async () => {
  const before = 'def f():\n  if x:\n    a()\n';
  const { failed } = await edit(before, [{ oldText: 'if x:\n  a()', newText: 'if y:\n  a()' }]);
  expect([failed, scene.bytes('a.txt').toString()]).toEqual([true, before]);
});

test('a failed match returns the text of the file, not only the sent text', async () => {
  const { text } = await edit('total = price * count\n', [
    { oldText: 'total = price + count', newText: 'x' },
  ]);
  expect(text).toContain('+total = price * count');
});

test.each<[string, object[]]>([
  ['no edits', []],
  ['an edit that changes nothing', [{ oldText: 'a', newText: 'a' }]],
])('%s rewrite nothing', async (_what, edits) => {
  scene.put('a.txt', 'a\n');
  const client = await scene.client({ revision: newest });
  const { ino, ctimeMs } = statSync(scene.at('a.txt'));
  const outcome = await call(client, 'edit_file', { path: 'a.txt', edits }).catch((error: unknown) => error);
  expect(outcome instanceof Error || (outcome as Outcome).failed).toBe(true);
  const after = statSync(scene.at('a.txt'));
  expect([after.ino, after.ctimeMs]).toEqual([ino, ctimeMs]);
});

test('several edits whose last one fails leave the file unchanged', async () => {
  const { failed } = await edit('a\nb\n', [
    { oldText: 'a', newText: 'x' },
    { oldText: 'c', newText: 'y' },
  ]);
  expect([failed, scene.bytes('a.txt').toString(), scene.names()]).toEqual([true, 'a\nb\n', ['a.txt']]);
});

test('dollar signs and brackets are literal text', async () => {
  await edit('$x = $(Get-Item .)\n', [{ oldText: '$(Get-Item .)', newText: '$($_.Name) $&' }]);
  expect(scene.bytes('a.txt').toString()).toBe('$x = $($_.Name) $&\n');
});
