import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFiles } from '../../scripts/selection.mjs';

const root = join(import.meta.dirname, '..', '..');
/** The shortest time, in milliseconds, after which a test may give up: a busy machine is no failure. */
const shortest = 120_000;

/** The arguments of each wait in a source, without the parentheses. */
function waitsIn(source: string): string[] {
  return [...source.matchAll(/\bvi\s*\.(?:waitFor|waitUntil)(?:<[^>]*>)?\(/g)].map((match) => {
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

/** How long a wait lasts at most; zero where it does not say, and takes the default of a second. */
function patienceOf(args: string): number {
  const named = /timeout: ?([\d_]+)/.exec(args) ?? /,\s*([\d_]+)\s*$/.exec(args);
  return Number(named?.[1]?.replaceAll('_', '') ?? 0);
}

test('no test gives up a wait in under two minutes', () => {
  const folders = new Set(testFiles(root).map((file) => dirname(file)));
  const sources = [...folders].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const hasty = sources.flatMap((file) =>
    waitsIn(readFileSync(join(root, file), 'utf8'))
      .filter((args) => patienceOf(args) < shortest)
      .map((args) => `${file}: ${args}`),
  );
  expect(hasty).toEqual([]);
  const hurried = ['waitFor(() => f(x), 10_000)', 'waitUntil(done)'].map((call) => `vi.${call}`).join(';');
  expect(waitsIn(hurried).map(patienceOf)).toEqual([10_000, 0]);
});
