import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call, newest, Scene } from '../harness.ts';

const scene = new Scene();
const line = 'the quick brown fox jumps over the lazy dog, again and again\n';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the bytes of live objects after a garbage collection. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Returns the bytes in use once they no longer fall: buffers are freed some time after their collection. */
async function settled(): Promise<number> {
  for (let before = held(); ; ) {
    await setImmediate();
    const now = held();
    if (now >= before) return before;
    before = now;
  }
}

/** Writes a file of equal lines in pieces, so that the test itself keeps none of it in memory. */
function putLines(count: number): void {
  const piece = Buffer.from(line.repeat(1024));
  const fd = openSync(scene.put('a.txt'), 'w');
  for (let written = 0; written < count; written += 1024) writeSync(fd, piece);
  closeSync(fd);
}

test.each<[string, object, boolean]>([
  ['one of all its places is replaced', { startLine: 100_000, newText: 'x' }, false],
  ['every line is replaced', { oldText: 'fox', newText: 'wolf', replaceAll: true }, false],
  ['a text is ambiguous', { oldText: 'fox', newText: 'wolf' }, true],
  ['a text is missing that is nearly there', { oldText: `${line}${line}the end`, newText: 'x' }, true],
])('other calls are answered while in a file of 12 MB %s', async (_what, edit, fails) => {
  putLines(200 * 1024);
  const client = await scene.client({ revision: newest });
  // loading modules at the first call takes longer than the edit
  await call(client, 'list_allowed_directories');
  let ended = false;
  const edited = call(client, 'edit_file', { path: 'a.txt', edits: [edit] }).finally(() => {
    ended = true;
  });
  let answered = 0;
  while (!ended) {
    await call(client, 'list_allowed_directories');
    // a round trip within one process takes no turn of the event loop
    await setImmediate();
    if (!ended) answered += 1;
  }
  expect((await edited).failed).toBe(fails);
  // the number depends on the machine; work that never yields allows none
  expect(answered).toBeGreaterThan(0);
});

test('an edit of a large file keeps one copy of it in memory', async () => {
  const client = await scene.client({ revision: newest });
  scene.put('a.txt', 'fox\n');
  await call(client, 'edit_file', { path: 'a.txt', edits: [{ oldText: 'fox', newText: 'wolf' }] });
  const lines = (full ? 500 : 200) * 1024;
  putLines(lines);
  const { size } = statSync(scene.at('a.txt'));
  const before = await settled();
  let most = 0;
  let ended = false;
  const looking = (async () => {
    while (!ended) {
      most = Math.max(most, held() - before);
      await setImmediate();
    }
  })();
  const edits = [
    { startLine: lines / 2, newText: 'one fox more' },
    { oldText: 'one fox more', newText: 'done' },
    { insertLine: lines - 1000, newText: 'x'.repeat(100) },
  ];
  const { failed, text } = await call(client, 'edit_file', { path: 'a.txt', edits });
  ended = true;
  await looking;
  expect(failed, text).toBe(false);
  expect(most / size, `${most} bytes for ${size}`).toBeLessThan(1.5);
  expect(most / size).toBeGreaterThan(0.9);
});

test('a cancelled edit ends and leaves the file alone', async () => {
  putLines(100 * 1024);
  const client = await scene.client({ revision: newest });
  const before = statSync(scene.at('a.txt'));
  const cancelling = new AbortController();
  const edits = Array.from({ length: 2000 }, (_, index) => ({
    oldText: 'dog',
    newText: `dog ${index}`,
    replaceAll: true,
  }));
  const edited = call(
    client,
    'edit_file',
    { path: 'a.txt', edits },
    {
      signal: cancelling.signal,
      onProgress: () => cancelling.abort(),
    },
  );
  await expect(edited).rejects.toThrow();
  // the next edit of the file waits until the cancelled one has ended
  const next = await call(client, 'edit_file', {
    path: 'a.txt',
    edits: [{ insertLine: 0, newText: 'first' }],
  });
  expect(next.failed, next.text).toBe(false);
  expect(statSync(scene.at('a.txt')).size).toBe(before.size + 'first\n'.length);
});

test('progress reports the number of applied edits', async () => {
  putLines(20 * 1024);
  const client = await scene.client({ revision: newest });
  const heard: [number, number | undefined][] = [];
  const edits = Array.from({ length: 5 }, (_, index) => ({
    oldText: `dog`,
    newText: `dog${index}`,
    replaceAll: true,
  }));
  await call(
    client,
    'edit_file',
    { path: 'a.txt', edits },
    {
      onProgress: ({ progress, total }) => heard.push([progress, total]),
    },
  );
  expect(heard.at(-1)).toEqual([5, 5]);
});
