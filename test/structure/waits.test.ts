import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFiles } from '../../scripts/selection.mjs';

const root = join(import.meta.dirname, '..', '..');
/** The shortest time, in milliseconds, after which a test may give up: a busy machine is no failure. */
const shortest = 120_000;

/** The arguments of each wait in a source, without the parentheses. */
function waitsIn(source: string): string[] {
  const waits = /\b(?:vi\s*\.(?:waitFor|waitUntil)|expect\s*\.poll)(?:<[^>]*>)?\(/g;
  return [...source.matchAll(waits)].map((match) => {
    const begin = match.index + match[0].length;
    let depth = 1;
    let end = begin;
    while (depth > 0) {
      if ('([{'.includes(source[end]!)) depth++;
      if (')]}'.includes(source[end]!)) depth--;
      end++;
    }
    return source.slice(begin, end - 1);
  });
}

/** Returns the limit of a wait, or zero if it has the default of a second. */
function patienceOf(args: string): number {
  const named = /timeout: ?([\d_]+)/.exec(args) ?? /,\s*([\d_]+)\s*$/.exec(args);
  return Number(named?.[1]?.replaceAll('_', '') ?? 0);
}

/** Returns the sources of the tests and their helpers, by the paths from the root. */
function testSources(): { file: string; text: string }[] {
  const folders = new Set(testFiles(root).map((file) => dirname(file)));
  return [...folders].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
  );
}

test('no test gives up a wait in under two minutes', () => {
  const hasty = testSources()
    .filter(({ file }) => file !== 'test/structure/waits.test.ts')
    .flatMap(({ file, text }) =>
      waitsIn(text)
        .filter((args) => patienceOf(args) < shortest)
        .map((args) => `${file}: ${args}`),
    );
  expect(hasty).toEqual([]);
  const hurried = [
    'vi.waitFor(() => f(x), 10_000)',
    'vi.waitUntil(done)',
    'expect.poll(() => f(x), { timeout: 1000 })',
  ];
  expect(waitsIn(hurried.join(';')).map(patienceOf)).toEqual([10_000, 0, 1000]);
});

test('no client, database or program that tests share is given up in under two minutes', () => {
  const hasty = testSources()
    .filter(({ file }) => !file.endsWith('.test.ts'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\btimeout: ?([\d_]+)/g)]
        .filter(([, limit]) => Number(limit!.replaceAll('_', '')) < shortest)
        .map(([member]) => `${file}: ${member}`),
    );
  expect(hasty).toEqual([]);
});
