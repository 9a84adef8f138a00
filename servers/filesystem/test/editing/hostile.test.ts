import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, newest, type Outcome, Scene, type Setting } from '../harness.ts';

const scene = new Scene();

async function edit(
  path: string,
  edits: readonly object[],
  setting: Setting = {},
  more: object = {},
): Promise<Outcome> {
  const client = await scene.client({ revision: newest, ...setting });
  return call(client, 'edit_file', { path, edits, ...more });
}

test.each(['$&', '$1', '$$', "$`$'", '\\1', '\\n'])(
  'a newText of %s is inserted literally',
  async (newText) => {
    scene.put('a.txt', 'a X b\n');
    await edit('a.txt', [{ oldText: 'X', newText }]);
    expect(scene.bytes('a.txt').toString()).toBe(`a ${newText} b\n`);
  },
);

test.each(['(a+)+$', '.*', '[x]', 'a|b', '^', '\\d', '*', '{2}'])(
  'an oldText of %s is matched literally',
  async (oldText) => {
    scene.put('a.txt', `ax b 12 ${oldText} y\n`);
    const { failed } = await edit('a.txt', [{ oldText, newText: '!' }]);
    expect([failed, scene.bytes('a.txt').toString()]).toEqual([false, 'ax b 12 ! y\n']);
  },
);

test.each<[string, object, string]>([
  ['half a character in oldText', { oldText: 'a\ud83d', newText: 'x' }, 'oldText has a lone surrogate'],
  ['half a character in newText', { oldText: 'a', newText: '\ude00x' }, 'newText has a lone surrogate'],
  ['half a character in lines', { startLine: 1, newText: '\ude00' }, 'newText has a lone surrogate'],
  ['NUL in newText', { oldText: 'a', newText: 'x\0y' }, 'newText has a NUL character'],
  ['NUL in lines', { insertLine: 0, newText: '\0' }, 'newText has a NUL character'],
  ['NUL in oldText', { oldText: 'a\0', newText: 'x' }, 'oldText was not found'],
])('%s is refused and nothing is written', async (_what, one, message) => {
  scene.put('a.txt', 'a\n');
  for (const edits of [[one], [{ oldText: 'a', newText: 'b' }, one]]) {
    const { failed, text } = await edit('a.txt', edits);
    expect([failed, text.replace(/^edit 2: /, '').startsWith(message)], text).toEqual([true, true]);
    expect(scene.bytes('a.txt').toString()).toBe('a\n');
  }
});

test('characters outside the basic multilingual plane are found and inserted', async () => {
  scene.put('a.txt', 'x 😀 y 👩‍👩‍👧 z\n');
  await edit('a.txt', [{ oldText: '😀 y 👩‍👩‍👧', newText: '👍🏽' }]);
  expect(scene.bytes('a.txt').toString()).toBe('x 👍🏽 z\n');
});

test('an oldText of ten megabytes is found, and a missing one is refused with a short message', async () => {
  const body = Buffer.alloc(10_000_000, 'abcdefghi\n').toString();
  scene.put('a.txt', `start\n${body}end\n`);
  const missing = await edit('a.txt', [{ oldText: `${body}END`, newText: '' }]);
  expect([missing.code, missing.text.length < 1000]).toEqual(['no-match', true]);
  expect((await edit('a.txt', [{ oldText: `${body}end`, newText: 'END' }])).failed).toBe(false);
  expect(scene.bytes('a.txt').toString()).toBe('start\nEND\n');
});

test('more edits than the maximum are refused before any work', async () => {
  scene.put('a.txt', 'a\n');
  const edits = Array.from({ length: 10_001 }, () => ({ insertLine: 0, newText: 'x' }));
  const outcome = await edit('a.txt', edits).catch((error: unknown) => error);
  expect(outcome instanceof Error || (outcome as Outcome).failed).toBe(true);
  expect(scene.bytes('a.txt').toString()).toBe('a\n');
});

test('files that are not regular, outside the roots or read-only are refused with one line each', async () => {
  const edits = [{ oldText: 'a', newText: 'x' }];
  execFileSync('mkfifo', [scene.at('fifo')]);
  mkdirSync(scene.at('folder'));
  writeFileSync(join(scene.outside, 'a.txt'), 'a\n');
  symlinkSync(join(scene.outside, 'a.txt'), scene.at('link'));
  symlinkSync('nowhere', scene.at('dead'));
  symlinkSync('loop', scene.at('loop'));
  scene.put('private.txt', 'a\n');
  scene.put('a.txt', 'a\n');
  const deny: Setting = { extra: { deny: ['private.*'] } };
  const refused: [string, Setting?][] = [
    ['fifo'],
    ['folder'],
    ['link'],
    ['dead'],
    ['loop'],
    ['missing'],
    ['../outside/a.txt'],
    [join(scene.outside, 'a.txt')],
    ['private.txt', deny],
    ['private.none', deny],
    ['a.txt', { roots: [{ path: scene.root, readOnly: true }] }],
    ['a\0.txt'],
    ['x'.repeat(5000)],
  ];
  const codes: (string | undefined)[] = [];
  for (const [path, setting] of refused)
    for (const dryRun of [false, true]) {
      const { failed, code, text } = await edit(path, edits, setting, { dryRun });
      expect([failed, text.split('\n').length <= 2], text).toEqual([true, true]);
      expect(text.includes(scene.top) && !path.includes(scene.top), text).toBe(false);
      if (!dryRun) codes.push(code);
    }
  expect(codes).toEqual([
    'not-a-file',
    'not-a-file',
    ...Array.from({ length: 6 }, () => 'not-found'),
    // the same whether a denied file exists or not
    'permission',
    'permission',
    'read-only',
    'invalid-path',
    'invalid-path',
  ]);
  expect([scene.bytes('a.txt').toString(), scene.bytes('private.txt').toString()]).toEqual(['a\n', 'a\n']);
});

// root may read everything

test('an edit of a file with other hard links breaks them or is refused, depending on --hard-links', async () => {
  const path = scene.put('a.txt', 'a\n');
  linkSync(path, scene.at('b.txt'));
  const edits = [{ oldText: 'a', newText: 'x' }];
  const refused = await edit('a.txt', edits, { extra: { 'hard-links': 'refuse' } });
  expect([refused.failed, scene.bytes('a.txt').toString()]).toEqual([true, 'a\n']);
  const { facts, text } = await edit('a.txt', edits);
  expect([(facts as { brokenLinks?: number }).brokenLinks, scene.bytes('b.txt').toString()]).toEqual([
    1,
    'a\n',
  ]);
  expect(text.split('\n')[0]).toContain('1 other hard links keep the old content');
});

test('a file keeps its mode, and an edit through a link inside the roots changes its target', async () => {
  chmodSync(scene.put('a.sh', 'echo a\n'), 0o754);
  symlinkSync('a.sh', scene.at('link'));
  await edit('link', [{ oldText: 'a', newText: 'b' }]);
  expect([statSync(scene.at('a.sh')).mode & 0o777, scene.bytes('a.sh').toString()]).toEqual([
    0o754,
    'echo b\n',
  ]);
});

test('a name with control characters is escaped in the first line of a result', async () => {
  const name = 'a\nedited b.txt';
  scene.put(name, 'a\n');
  const { text, facts } = await edit(name, [{ oldText: 'a', newText: 'x' }]);
  expect([facts.path, text.split('\n')[0]!.startsWith('edited a\\nedited b.txt (')], text).toEqual([
    name,
    true,
  ]);
});

test('a file over the size limit is refused without a read', async () => {
  const path = scene.put('a.txt', '');
  execFileSync('truncate', ['-s', String(64 * 1024 * 1024 + 1), path]);
  const { code, text } = await edit('a.txt', [{ insertLine: 0, newText: 'x' }]);
  expect([code, text.split('\n').length]).toEqual(['too-large', 2]);
});
