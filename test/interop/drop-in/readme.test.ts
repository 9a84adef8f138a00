import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differences } from './differences.ts';

test('the reference lists every difference from the official server', () => {
  const page = readFileSync(new URL('../../../docs/reference/filesystem.md', import.meta.url), 'utf8');
  expect(differences.filter(({ says }) => !page.includes(`\n- ${says}\n`))).toEqual([]);
});
