import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderPage } from '../bench/lib/page.mjs';

const finding = (row: string, ours: number, pass: boolean | null = true) => ({
  row: {
    workload: 'reads',
    row,
    unit: 'ms',
    ours,
    responder: null,
    peers: { other: 2 },
    ratio: ours / 2,
    must: 0.5,
    aim: null,
    pass,
  },
  relative: true,
  notes: [],
});
const linesOf = (page: string): string[] => page.split('\n').filter((line) => line.startsWith('| reads'));

test('a run of some rows replaces these and keeps the others', () => {
  const first = renderPage('', [finding('a', 1), finding('b', 3, false)], 'Monday');
  const second = renderPage(first, [finding('a', 0.5)], 'Tuesday');
  expect(linesOf(second)).toEqual([
    '| reads: a | ms | 0.5 | other 2 | 0.25x | 0.5x | holds | Tuesday |',
    '| reads: b | ms | 3 | other 2 | 1.50x | 0.5x | **fails** | Monday |',
  ]);
  expect(renderPage(second, [], 'Wednesday')).toBe(second);
});

test('the page is in the form that a run writes', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'numbers.md'), 'utf8');
  expect(renderPage(page, [], '')).toBe(page);
  expect(page).toMatch(/\| (?:holds|\*\*fails\*\*) \|/);
});
