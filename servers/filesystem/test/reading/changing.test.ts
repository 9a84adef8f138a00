import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { call, type Outcome, Scene } from '../harness.ts';

const scene = new Scene();
const LINES = 75_000;
const before = linesOf('a', LINES);
const after = linesOf('b', LINES);

/** Returns numbered lines of one letter. */
function linesOf(letter: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${letter.repeat(60)} ${index + 1}\n`).join('');
}

/** Overwrites a file in place with content of the same length. */
function overwrite(path: string, text: string): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, text);
  closeSync(fd);
}

/** Reads a large file, and changes it during the read. */
async function readWhile(tool: string, args: object, change: (path: string) => void): Promise<Outcome> {
  const path = scene.put('a.txt', before);
  const client = await scene.client({ maxOutput: 64 * 1024 * 1024 });
  const seen: number[] = [];
  let changed = false;
  const outcome = await call(
    client,
    tool,
    { path: 'a.txt', ...args },
    {
      onProgress: ({ progress }) => {
        seen.push(progress);
        // in a later turn of the event loop, after the first piece and before the last
        if (!changed) setImmediate(change, path);
        changed = true;
      },
    },
  );
  expect(seen[0]).toBeLessThan(before.length);
  return outcome;
}

test('a file that is overwritten during a read is returned with the new content only', async () => {
  const { facts } = await readWhile('read_text_file', {}, (path) => overwrite(path, after));
  expect([facts.text === after, facts.truncated, facts.totalLines]).toEqual([true, false, LINES]);
});

test('a file that grows during a read is returned as it was', async () => {
  const { facts } = await readWhile('read_text_file', {}, (path) => appendFileSync(path, after));
  expect([facts.text === before, facts.size, facts.totalLines]).toEqual([true, before.length, LINES]);
  const again = await call(await scene.client(), 'get_file_info', { path: 'a.txt' });
  expect(again.facts.etag).not.toBe(facts.etag);
});

test.each([1000, before.length - 100_000])(
  'a file that is truncated to %i bytes during a read is returned as it is afterwards',
  async (size) => {
    const { facts } = await readWhile('read_text_file', {}, (path) => truncateSync(path, size));
    expect([facts.text === before.slice(0, size), facts.size, facts.truncated]).toEqual([true, size, false]);
  },
);

test('a file that is replaced during a read is returned as it was', async () => {
  const { facts } = await readWhile('read_text_file', {}, (path) => {
    writeFileSync(`${path}.new`, after);
    renameSync(`${path}.new`, path);
  });
  expect([facts.text === before, facts.size]).toEqual([true, before.length]);
});

test('the lines of a range and their numbers are consistent', async () => {
  // the same bytes, with fewer lines above the range
  const fewer = before.replace(/\n/g, (end, at: number) => (at < 100_000 ? ' ' : end));
  const { facts } = await readWhile('read_text_file', { startLine: 70_000, endLine: 70_001 }, (path) =>
    overwrite(path, fewer),
  );
  const lines = fewer.split(/(?<=\n)/);
  expect([facts.text, facts.totalLines]).toEqual([lines.slice(69_999, 70_001).join(''), lines.length]);
});

test('the number of all lines is consistent', async () => {
  const end = before.length;
  // fewer lines in the part that was counted already and in the rest
  const fewer = before.replace(/\n/g, (newline, at: number) =>
    (at > 1000 && at < 100_000) || at > end - 100_000 ? ' ' : newline,
  );
  const { facts } = await readWhile('read_text_file', { head: 2 }, (path) => overwrite(path, fewer));
  expect([facts.endLine, facts.totalLines]).toEqual([2, fewer.split(/(?<=\n)/).length]);
});

test.each([
  ['read_text_file', {}],
  ['read_text_file', { startLine: 70_000 }],
  ['read_media_file', { offset: 0 }],
])('a file that changes all the time is refused as changed and retryable: %s %j', async (tool, args) => {
  const path = scene.put('a.txt', before);
  const client = await scene.client({ maxOutput: 64 * 1024 * 1024 });
  let over = false;
  const answer = call(client, tool, { path: 'a.txt', ...args }).finally(() => {
    over = true;
  });
  for (let turn = 0; !over; turn++) {
    // in its first and in its last lines
    overwrite(path, `${turn}`);
    truncateSync(path, before.length - 1 - (turn % 9));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { failed, code, result, text } = await answer;
  expect([failed, code, text]).toEqual([
    true,
    'changed',
    'changed by someone else meanwhile: a.txt\nanother process is writing it; read it again',
  ]);
  expect(result._meta?.failure).toMatchObject({ retryable: true });
});

test('bytes of a file that is overwritten during a read are the new ones only', async () => {
  scene.put('a.txt', before);
  const client = await scene.client({ maxOutput: 64 * 1024 * 1024 });
  const answer = call(client, 'read_media_file', { path: 'a.txt' });
  await new Promise((resolve) => setImmediate(resolve));
  overwrite(scene.at('a.txt'), after);
  const { facts } = await answer;
  expect(['a', 'b']).toContain(Buffer.from(facts.data, 'base64').toString('latin1', 0, 1));
  expect([before, after]).toContain(Buffer.from(facts.data, 'base64').toString());
});
