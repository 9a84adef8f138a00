import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rows as differences } from '../../servers/git/test/trust/by-hand/differences.ts';
import { vectors } from '../../servers/git/test/trust/vectors.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = ['docs/filesystem-gaps.md', 'docs/git-gaps.md', 'docs/sqlite-gaps.md', 'docs/fetch-gaps.md'];

/** Returns the proofs that a page names: a file, and usually a test in it. */
function proofsOf(page: string): { file: string; name: string | undefined }[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/`([^`\s]+\.test\.ts)`(?:: "([^"]+)")?/g)].map(([, file, name]) => ({
    file: file!,
    name,
  }));
}

test.each(pages)('every test that %s names exists', (page) => {
  const proofs = proofsOf(page);
  const missing = proofs.filter(({ file, name }) => {
    const path = join(root, file);
    return !existsSync(path) || (name !== undefined && !readFileSync(path, 'utf8').includes(name));
  });
  expect(proofs.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('the page of the git server names every setting of a repository that executes', () => {
  const text = readFileSync(join(root, 'docs/git-gaps.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith('Settings of a repository'))!;
  const cells = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  const named = cells.flatMap((line) =>
    [...line.split(' | ')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set(vectors.map(({ name }) => name)));
});

test('the reference of the git server names the differences between trust and plain git, each with its reason', () => {
  const text = readFileSync(join(root, 'docs/reference/git.md'), 'utf8');
  const [, table] = /\| difference \| reason \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text) ?? [];
  expect(table?.trimEnd().split('\n')).toEqual(
    Object.values(differences).map(({ what, why }) => `| ${what} | ${why} |`),
  );
});
