import { describe, expect, test } from 'vitest';
import { content, searchTests } from './harness.ts';

const { start, tree, open } = searchTests();
const KiB = 1024;
const line = `${'a'.repeat(KiB - 1)}\n`;

// buffers grow from 128 KiB to 1 MiB
describe.each([128, 256, 1024, 1152, 2048])('a file of %i KiB, which ends at the end of a buffer', (size) => {
  test('as whole lines is searched to its end', async () => {
    const lines = line.repeat(size);
    const last = `${lines.slice(0, -8)} needle\n`;
    const root = open(tree({ none: lines, last, 'without-newline': `${lines.slice(0, -7)} needle` }));
    const outcome = await start().search(content(root, 'needle'));
    expect(outcome.matches.map((match) => [match.path, match.line])).toEqual([
      ['last', size],
      ['without-newline', size],
    ]);
    expect(outcome.counts).toMatchObject({ filesSearched: 3, errors: 0 });
  });

  test.each([-1, 0, 1])('as one line, or %i bytes off, is searched to its end', async (off) => {
    const long = 'a'.repeat(size * KiB + off);
    const root = open(
      tree({ none: long, last: `${long.slice(7)} needle`, newline: `${long.slice(8)} needle\n` }),
    );
    const outcome = await start().search(content(root, 'needle', { output: 'files' }));
    expect(outcome.files).toEqual([{ path: 'last' }, { path: 'newline' }]);
    expect(outcome.counts).toMatchObject({ filesSearched: 3, errors: 0 });
  });
});
