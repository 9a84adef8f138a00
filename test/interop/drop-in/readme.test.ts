import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differences } from './differences.ts';

test('the readme lists every difference', () => {
  const readme = readFileSync(new URL('../../../servers/filesystem/README.md', import.meta.url), 'utf8');
  expect(differences.filter(({ says }) => !readme.includes(`\n- ${says}\n`))).toEqual([]);
});
