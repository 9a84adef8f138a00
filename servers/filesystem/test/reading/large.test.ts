import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgressUpdate } from '@rootbound/protocol/client';
import { childProcess } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, newest, program, Scene } from '../harness.ts';

const scene = new Scene();
const LINE = `${'0123456789'.repeat(9)} 漢é.\n`;
const LINES_OF_A_BLOCK = 10_000;
const BLOCKS = 200;
const total = LINES_OF_A_BLOCK * BLOCKS;
const size = total * Buffer.byteLength(LINE);
const megabyte = 1024 * 1024;
const linux = process.platform === 'linux';

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-large-'));
  path = join(folder, 'large.txt');
  const fd = openSync(path, 'w');
  const block = Buffer.from(LINE.repeat(LINES_OF_A_BLOCK));
  for (let at = 0; at < BLOCKS; at++) writeSync(fd, block);
  closeSync(fd);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const roots = () => [{ path: folder, readOnly: false }];

test('head, tail and range of 200 MB are correct', async () => {
  const client = await scene.client({ roots: roots() });
  const head = await call(client, 'read_text_file', { path, head: 3 });
  expect([head.facts.text, head.facts.truncated, head.facts.size]).toEqual([LINE.repeat(3), false, size]);
  const tail = await call(client, 'read_text_file', { path, tail: 3 });
  expect([tail.facts.text, tail.facts.truncated]).toEqual([LINE.repeat(3), false]);
  const range = await call(client, 'read_text_file', { path, startLine: total - 1, endLine: total + 5 });
  expect([range.facts.text, range.facts.startLine, range.facts.endLine, range.facts.totalLines]).toEqual([
    LINE.repeat(2),
    total - 1,
    total,
    total,
  ]);
});

test.runIf(linux)('head, tail, range and first page of 200 MB are read in constant memory', async () => {
  let pid = 0;
  const transport = childProcess({ command: process.execPath, args: [program, folder], stderr: 'ignore' });
  const before = childrenOf(process.pid);
  const client = await scene.connect(transport, {});
  await call(client, 'read_text_file', { path, head: 1 });
  pid = childrenOf(process.pid).find((child) => !before.includes(child))!;
  const start = peakOf(pid);
  for (const form of [
    {},
    { head: 1_000_000 },
    { tail: 1_000_000 },
    { startLine: 1_000_000, endLine: 1_500_000 },
  ]) {
    const { failed, facts } = await call(client, 'read_text_file', { path, ...form });
    expect([failed, facts.truncated], JSON.stringify(form)).toEqual([false, true]);
  }
  const range = await call(client, 'read_media_file', { path, offset: size / 2, length: size });
  expect([range.failed, range.facts.truncated]).toEqual([false, true]);
  expect(peakOf(pid) - start).toBeLessThan(48 * megabyte);
});

test('a long range reports progress that rises to the size', async () => {
  const client = await scene.client({ roots: roots() });
  const updates: ProgressUpdate[] = [];
  await call(
    client,
    'read_text_file',
    { path, startLine: total },
    { onProgress: (update) => updates.push(update) },
  );
  expect(updates.length).toBeGreaterThan(0);
  expect(updates.map((update) => update.progress)).toEqual(
    updates.map((update) => update.progress).toSorted((a, b) => a - b),
  );
  expect(new Set(updates.map((update) => update.progress)).size).toBe(updates.length);
  expect(updates.map((update) => update.total)).toEqual(updates.map(() => size));
  expect(updates.at(-1)!.progress).toBe(size);
});

test('a client that did not request progress gets none', async () => {
  const heard: string[] = [];
  const client = await scene.client({ roots: roots(), onNotification: (method) => heard.push(method) });
  await call(client, 'read_text_file', { path, startLine: total });
  expect(heard).toEqual([]);
});

test.runIf(linux)(
  'a cancelled range stops reading without a response, and the session continues',
  async () => {
    for (const revision of ['2025-11-25', newest] as const) {
      const client = await scene.client({ roots: roots(), revision });
      const cancel = new AbortController();
      const updates: ProgressUpdate[] = [];
      let begin: () => void = () => {};
      const began = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const answer = call(
        client,
        'read_text_file',
        { path, startLine: total },
        {
          signal: cancel.signal,
          onProgress: (update) => {
            updates.push(update);
            begin();
          },
        },
      );
      await began;
      expect(isOpen(path)).toBe(true);
      cancel.abort();
      await expect(answer).rejects.toThrow('cancelled');
      const read = bytesRead();
      const { length } = updates;
      // one turn of the event loop each, in which a read would continue
      do await new Promise((resolve) => setImmediate(resolve));
      while (isOpen(path));
      expect(bytesRead() - read).toBeLessThan(size / 2);
      expect((await call(client, 'list_allowed_directories')).failed).toBe(false);
      expect(updates.length).toBe(length);
      expect(scene.faults).toEqual([]);
    }
  },
);

test('another call is answered while a long range is read', async () => {
  const client = await scene.client({ roots: roots() });
  const order: string[] = [];
  const long = call(client, 'read_text_file', { path, startLine: total }).then(() => order.push('long'));
  await call(client, 'list_allowed_directories').then(() => order.push('short'));
  await long;
  expect(order).toEqual(['short', 'long']);
});

test('1 GB with text only at both ends is read by head and tail', async () => {
  const sparse = scene.at('sparse.txt');
  const fd = openSync(sparse, 'w');
  writeSync(fd, LINE.repeat(2000));
  ftruncateSync(fd, 1024 * megabyte);
  writeSync(fd, `\n${LINE.repeat(2000)}`, 1024 * megabyte);
  closeSync(fd);
  const client = await scene.client();
  expect((await call(client, 'read_text_file', { path: sparse, head: 2 })).facts.text).toBe(LINE.repeat(2));
  expect((await call(client, 'read_text_file', { path: sparse, tail: 2 })).facts.text).toBe(LINE.repeat(2));
});

function childrenOf(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

/** Returns the peak memory of a process. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
}

/** Returns whether this process has the file open. */
function isOpen(file: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      // closed after it was listed
      return false;
    }
  });
}
