import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { jsonBytes } from '@rootbound/kit/budget';
import { expect, test } from 'vitest';
import { parseChanges } from '../../src/porcelain/changes.ts';
import { changesCommand, patchCommand } from '../../src/porcelain/diff.ts';
import { parsePatch } from '../../src/porcelain/hunks.ts';
import { readListing } from '../../src/reading/patches/listing.ts';
import type { PatchPage, PatchPageOptions } from '../../src/reading/patches/pager.ts';
import { patchPage } from '../../src/reading/patches/patch-page.ts';
import { isPatchPosition, type PatchPosition } from '../../src/reading/patches/position.ts';
import { States } from '../porcelain/changed-states.ts';
import { printed } from '../porcelain/printed.ts';
import { scratch } from '../scratch.ts';
import { seeds } from '../seeds.ts';

/** The same bytes as they may come from a process, and how many of them were asked for. */
class Chunks implements Iterable<Buffer> {
  readonly #bytes: Buffer;
  readonly #size: number;
  read = 0;

  constructor(bytes: Buffer, size = 1 << 16) {
    this.#bytes = bytes;
    this.#size = size;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    while (this.read < this.#bytes.length) {
      this.read += this.#size;
      yield this.#bytes.subarray(this.read - this.#size, this.read);
    }
  }
}

async function pagesOf(bytes: Buffer, options: PatchPageOptions, chunk?: number): Promise<PatchPage[]> {
  const pages: PatchPage[] = [];
  let after: PatchPosition | undefined;
  do {
    const page = await patchPage(new Chunks(bytes, chunk), { ...options, after });
    expect(page).toBeDefined();
    pages.push(page!);
    const kept: unknown = page!.next && JSON.parse(JSON.stringify(page!.next));
    after = isPatchPosition(kept) ? kept : undefined;
    expect(after).toEqual(page!.next);
  } while (after !== undefined);
  return pages;
}

/** Each line by itself: as UTF-8 where it is that, else as Latin-1. */
function textOf(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => line.toString(isUtf8(line) ? 'utf8' : 'latin1'))
    .join('\n');
}

const inJson = (text: string) => jsonBytes(text) - 2;
const chosen = seeds(30);

test.each(chosen)(
  'the pages of a patch are what git printed, each within its budget, and a hunk that fits is whole, in state %i',
  async (seed) => {
    const states = new States(seed);
    states.change(12);
    states.commit();
    states.change(12);
    states.git('add', '--all');
    const bytes = await printed(states.folder, patchCommand({ sides: { kind: 'staged' } }));
    const { files } = parsePatch(bytes);
    const [perFile, perHunk] = [30, 20];
    for (const [budget, chunk] of [
      [400, 7],
      [1500, 1],
      [6000, 64],
      [1 << 20, 4096],
    ] as const) {
      const pages = await pagesOf(bytes, { budget, perFile, perHunk }, chunk);
      expect(pages.map(({ text }) => text).join('')).toBe(textOf(bytes));
      expect(pages.some(({ lossy }) => lossy)).toBe(!isUtf8(bytes));
      for (const { text, files: reported } of pages) {
        const hunks = reported.flatMap((file) => file.hunks).length;
        expect(inJson(text) + reported.length * perFile + hunks * perHunk).toBeLessThanOrEqual(budget);
      }
      for (const file of files) {
        const [first, ...others] = file.hunks.map((hunk) => textOf(hunk.bytes));
        const units = first === undefined ? [] : [textOf(file.bytes) + first, ...others];
        for (const unit of units) {
          const fits = inJson(unit) + perFile + perHunk <= budget;
          if (fits) expect(pages.some(({ text }) => text.includes(unit))).toBe(true);
        }
      }
      const reported = pages.flatMap((page) => page.files);
      expect(reported.flatMap(({ hunks }) => hunks.map(({ id }) => id))).toEqual(
        files.flatMap(({ hunks }) => hunks.map(({ id }) => id)),
      );
      expect(reported.flatMap(({ changeId }) => changeId ?? [])).toEqual(
        files.flatMap(({ changeId }) => changeId ?? []),
      );
    }
  },
);

async function patchOf(before: string | Buffer, now: string | Buffer, path = 'file'): Promise<Buffer> {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write(path, before);
  git(folder, 'add', path);
  write(path, now);
  return printed(folder, patchCommand({ sides: { kind: 'unstaged' } }));
}

test('a hunk that is larger than the budget is cut behind a line, and the page says so', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');
  const bytes = await patchOf('', lines);
  const pages = await pagesOf(bytes, { budget: 1000 });
  expect(pages.length).toBeGreaterThan(2);
  for (const { text } of pages) expect(text.endsWith('\n')).toBe(true);
  expect(pages.map(({ cut }) => cut)).toEqual([...pages.slice(1).map(() => true), false]);
  expect(pages.map((page) => page.files.map(({ hunks }) => hunks.length))).toEqual([
    ...pages.slice(1).map(() => [0]),
    [1],
  ]);
});

test.each([
  ['a line of ASCII', Buffer.from('x'.repeat(5000))],
  ['characters of several bytes', Buffer.from('ü€😀'.repeat(700))],
  ['characters that JSON escapes', Buffer.from('\t\u0001"'.repeat(1500))],
  ['Latin-1', Buffer.from('caf\xe9 '.repeat(900), 'latin1')],
])('a line that is longer than the budget goes on in the next page: %s', async (_, line) => {
  const bytes = await patchOf('', line);
  for (const chunk of [1, 999, 1 << 16]) {
    const pages = await pagesOf(bytes, { budget: 1001 }, chunk);
    for (const { text } of pages) expect(inJson(text)).toBeLessThanOrEqual(1001);
    expect(pages.map(({ text }) => text).join('')).toBe(textOf(bytes));
  }
});

test('a position is short, however long the name of its file', async () => {
  const bytes = await patchOf('', 'line\n'.repeat(1000), `${'folder ü/'.repeat(60)}file`);
  const pages = await pagesOf(bytes, { budget: 4000 });
  expect(pages.map(({ text }) => text).join('')).toBe(bytes.toString());
  for (const { next } of pages) expect(JSON.stringify(next ?? null).length).toBeLessThan(300);
});

test('no more of a patch is read than its page needs', async () => {
  const bytes = await patchOf('', 'line\n'.repeat(100_000));
  const chunks = new Chunks(bytes, 1000);
  const page = await patchPage(chunks, { budget: 5000 });
  expect([page?.cut, chunks.read <= 7000]).toEqual([true, true]);
});

test('a position in a patch of other contents is of another patch', async () => {
  const lines = 'line\n'.repeat(500);
  const page = await patchPage(new Chunks(await patchOf('', lines)), { budget: 1000 });
  const other = await patchOf('', `${lines}line\n`);
  expect(await patchPage(new Chunks(other), { budget: 1000, after: page!.next })).toBeUndefined();
});

test('a listing is taken off a patch wherever the chunks end', async () => {
  const states = new States(5);
  states.change(12);
  states.commit();
  states.change(12);
  states.git('add', '--all');
  const sides = { kind: 'staged' } as const;
  const bytes = await printed(states.folder, patchCommand({ sides }, { list: true }));
  const alone = await printed(states.folder, patchCommand({ sides }));
  const changes = parseChanges(await printed(states.folder, changesCommand({ sides })));
  for (const size of [1, 2, 3, 100, 1 << 16]) {
    const listed = await readListing(Readable.from(new Chunks(bytes, size)));
    expect(listed.changes).toEqual(changes);
    const patch: Buffer[] = [];
    for await (const chunk of listed.patch) patch.push(chunk);
    expect(Buffer.concat(patch).equals(alone)).toBe(true);
  }
});

test('an empty patch is an empty page', async () => {
  expect(await patchPage([], { budget: 1000 })).toMatchObject({ text: '', files: [], next: undefined });
});
