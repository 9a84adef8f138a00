import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call, inEveryRevision, newest, type Outcome, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const text = 'alpha\nbeta\ngamma\nbeta\ndelta\n';

async function edit(edits: readonly object[], more: object = {}): Promise<Outcome> {
  return call(await scene.client({ revision: newest }), 'edit_file', { path: 'a.txt', edits, ...more });
}

inEveryRevision((revision) => {
  test('expected replaces all occurrences if there are that many, and refuses any other number', async () => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const edits = (expected: number): object => ({
      path: 'a.txt',
      edits: [{ oldText: 'beta', newText: 'BETA', expected }],
    });
    for (const expected of [1, 3]) {
      const { failed, code, text: message } = await call(client, 'edit_file', edits(expected) as never);
      expect([failed, code, message.split('\n')[0]]).toEqual([
        true,
        'wrong-count',
        `oldText matches 2 places, on lines 2, 4; expected is ${expected}`,
      ]);
      expect(scene.bytes('a.txt').toString()).toBe(text);
    }
    const { failed } = await call(client, 'edit_file', edits(2) as never);
    expect([failed, scene.bytes('a.txt').toString()]).toEqual([false, text.replaceAll('beta', 'BETA')]);
  });
});

test('the error for many occurrences names the first ten lines', async () => {
  scene.put('a.txt', 'same\n'.repeat(5000));
  const { text: message } = await edit([{ oldText: 'same', newText: 'x' }]);
  expect(message.split('\n')[0]).toBe(
    'oldText matches 5000 places, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more',
  );
});

test('overlapping occurrences are counted from left to right', async () => {
  scene.put('a.txt', 'aaaaa\n');
  await edit([{ oldText: 'aa', newText: 'b', expected: 2 }]);
  expect(scene.bytes('a.txt').toString()).toBe('bba\n');
});

whereStructured((revision) => {
  test.each<[string, object[], number[]]>([
    [
      'edits that undo each other',
      [
        { oldText: 'alpha', newText: 'x' },
        { oldText: 'x', newText: 'alpha' },
      ],
      [1, 1],
    ],
    ['lines replaced by themselves', [{ startLine: 2, endLine: 3, newText: 'beta\ngamma' }], [1]],
  ])('%s leave the file unchanged and report that', async (_what, edits, replacements) => {
    scene.put('a.txt', text);
    const before = statSync(scene.at('a.txt'));
    const client = await scene.client({ revision });
    const { failed, text: message, facts } = await call(client, 'edit_file', { path: 'a.txt', edits });
    const { etag } = (await call(client, 'get_file_info', { path: 'a.txt' })).facts;
    expect([failed, facts]).toEqual([
      false,
      { path: 'a.txt', diff: '', replacements, applied: false, etag, truncated: false },
    ]);
    expect(message).toBe(
      `no difference in a.txt, nothing was written (replaced ${replacements.join(' + ')}, etag ${etag})`,
    );
    const { ino, mtimeMs, ctimeMs } = statSync(scene.at('a.txt'));
    expect([ino, mtimeMs, ctimeMs]).toEqual([before.ino, before.mtimeMs, before.ctimeMs]);
  });
});

const many = full ? 10_000 : 2000;
test(`${many} edits are applied in one call, and the text half is short`, async () => {
  const names = Array.from({ length: many }, (_, index) => `<${index}>`);
  scene.put('a.txt', names.join('\n'));
  const edits = names.map((name) => ({ oldText: name, newText: name.toUpperCase().replace('<', '[') }));
  const { failed, text: message } = await edit(edits);
  expect([failed, message.split(', etag')[0]]).toEqual([
    false,
    `edited a.txt (replaced ${many} by ${many} edits`,
  ]);
  expect(scene.bytes('a.txt').toString()).toBe(names.join('\n').replaceAll('<', '['));
});

test('one failed edit of a thousand prevents all of them', async () => {
  const before = Array.from({ length: 1000 }, (_, index) => `<${index}>`).join('\n');
  scene.put('a.txt', before);
  const edits = Array.from({ length: 1000 }, (_, index) => ({ oldText: `<${index}>`, newText: 'x' }));
  edits[999]!.oldText = 'none';
  const { failed, text: message } = await edit(edits);
  expect([failed, message.startsWith('edit 1000: oldText was not found')]).toEqual([true, true]);
  expect(scene.bytes('a.txt').toString()).toBe(before);
});
