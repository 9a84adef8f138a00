import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = ['docs/filesystem-gaps.md'];

/** The proofs that a page names: a file, and mostly a test in it. */
function proofsOf(page: string): { file: string; name: string | undefined }[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/`([^`\s]+\.test\.ts)`(?:: "([^"]+)")?/g)].map(([, file, name]) => ({
    file: file!,
    name,
  }));
}

test.each(pages)('every test that %s names is there', (page) => {
  const proofs = proofsOf(page);
  const missing = proofs.filter(({ file, name }) => {
    const path = join(root, file);
    return !existsSync(path) || (name !== undefined && !readFileSync(path, 'utf8').includes(name));
  });
  expect(proofs.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
