import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ReaderPool, type ReaderPoolOptions } from '../../src/reading/reader-pool.ts';
import type { ReadRequest } from '../../src/reading/reading.ts';
import { buildFolder, bundleInto } from '../bundle.ts';
import { readingOf, snapshotOf } from '../pages/readings.ts';
import { builtReader } from '../reader-build.ts';

let folder: string;
const open: ReaderPool[] = [];

beforeAll(async () => {
  folder = buildFolder('stubborn-reader');
  await bundleInto(folder, { reader: 'test/proofs/stubborn-reader.ts' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const readers of open.splice(0)) await readers.close();
});

function readersOf(options: Partial<ReaderPoolOptions> & Pick<ReaderPoolOptions, 'file'>): ReaderPool {
  const readers = new ReaderPool({ size: 1, ...options });
  open.push(readers);
  return readers;
}

const stubborn = (deadlineMs: number): ReaderPool =>
  readersOf({ file: join(folder, 'reader.cjs'), deadlineMs, againMs: 60_000 });

const request = (text: string): ReadRequest => ({
  bytes: Buffer.from(text),
  contentType: 'text/plain',
  url: 'https://example.com/',
  want: 'article',
});

/** Returns how often the event loop turns until a promise settles. */
async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await done;
  return turns;
}

const MANY = 500;
const line = `${'the quick brown fox jumps over '.repeat(20)}\n`;

test('a megabyte is searched with a costly expression without blocking the event loop', async () => {
  const readers = readersOf({ file: await builtReader(), deadlineMs: 60_000 });
  const page = readingOf(line.repeat(1_000_000 / line.length));
  await readers.find(page, { query: 'never there', mode: 'regex' });
  const query = '(x+x+)+y|[a-q][^u-z]{13}x';
  expect(await turnsUntil(readers.find(page, { query, mode: 'regex' }))).toBeGreaterThan(MANY);
});

test('two megabytes are compared without blocking the event loop', async () => {
  const readers = readersOf({ file: await builtReader(), deadlineMs: 60_000 });
  const [old, now] = [3, 5].map((seed) =>
    snapshotOf(Array.from({ length: 300_000 }, (_, at) => (at * at * seed + at) % 7).join('\n')),
  );
  await readers.compare(snapshotOf('a'), snapshotOf('b'), {});
  expect(await turnsUntil(readers.compare(old!, now!, {}))).toBeGreaterThan(MANY);
});

describe('a worker returns the same results as this thread', () => {
  test('a long page is searched as a short one', async () => {
    const readers = readersOf({ file: await builtReader() });
    const short = readingOf('# Tea\n\nSome cafés\n');
    const long = readingOf(`# Tea\n\nSome cafés\n${'and no more of it\n'.repeat(5000)}`);
    const [here, there] = [
      await readers.find(short, { query: 'cafe', contextLines: 0 }),
      await readers.find(long, { query: 'cafe', contextLines: 0 }),
    ];
    expect(here.found).toHaveLength(1);
    expect(there).toEqual(here);
  });

  test('an invalid query fails with the reason', async () => {
    const readers = readersOf({ file: await builtReader() });
    await expect(readers.find(readingOf('a'), { query: '(', mode: 'regex' })).rejects.toMatchObject({
      code: 'invalid-request',
      hint: expect.stringContaining('RE2'),
    });
  });
});

test.each([
  ['a search', (readers: ReaderPool) => readers.find(readingOf('a'), { query: 'a', mode: 'regex' })],
  ['a comparison', (readers: ReaderPool) => readers.compare(snapshotOf('a'), snapshotOf('b'), {})],
])('%s beyond its deadline fails, and later pages are read', async (_, work) => {
  const readers = stubborn(50);
  await expect(work(readers)).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/page/),
  });
  expect(await readers.read(request('words'))).toMatchObject({ text: 'words' });
});

test('a page whose main content is not found in time is read as a whole, with a note', async () => {
  const reading = await stubborn(50).read(request('endless words'));
  expect(reading).toMatchObject({ text: 'endless words', isHurried: true });
  expect(reading.extraction!.notes).toEqual(['the search for the main content took too long']);
});

test('a page that waits behind a slow one is read by another worker', async () => {
  const readers = readersOf({ file: join(folder, 'reader.cjs'), size: 2, eager: 1, deadlineMs: 60_000 });
  const ending = new AbortController();
  const endless = readers.read(request('endless words'), ending.signal);
  const others = ['one', 'two', 'three'].map((text) => readers.read(request(text)));
  expect((await Promise.all(others)).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  ending.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
});

test('pages behind one whose worker is terminated are read', async () => {
  const readers = stubborn(60_000);
  const ending = new AbortController();
  const endless = readers.read(request('endless words'), ending.signal);
  const others = ['one', 'two', 'three'].map((text) => readers.read(request(text)));
  ending.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
  expect((await Promise.all(others)).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});

test('a job that is cancelled before it begins fails at once, and the job before it continues', async () => {
  const readers = readersOf({ file: await builtReader(), deadlineMs: 60_000 });
  const page = readingOf(line.repeat(1_000_000 / line.length));
  const running = readers.find(page, { query: '(x+x+)+y|[a-q][^u-z]{13}x', mode: 'regex' });
  const ending = [new AbortController(), new AbortController()];
  const waiting = ending.map(({ signal }) => readers.read(request('words'), signal));
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  for (const each of ending) each.abort(new Error('enough'));
  for (const each of waiting) await expect(each).rejects.toThrow('enough');
  expect(isOver).toBe(false);
  expect((await running).found).toEqual([]);
});

test('many concurrent pages have their own texts', async () => {
  const readers = readersOf({ file: await builtReader(), size: 2, eager: 2 });
  const texts = Array.from({ length: 200 }, (_, at) => `Page ${at}`);
  const read = await Promise.all(texts.map((text) => readers.read(request(text))));
  expect(read.map(({ text }) => text.trim())).toEqual(texts);
});

test('jobs that have not begun fail when the server closes, and no worker is left', async () => {
  const readers = stubborn(60_000);
  const all = ['endless words', 'one', 'two'].map((text) => readers.read(request(text)));
  const failed = Promise.allSettled(all);
  await readers.close();
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(readers.read(request('more'))).rejects.toThrow('closing');
});
