import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)';/gm;

/** Every module that a file loads without being asked to, the file included. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    if (name!.startsWith('.')) loadedWith(join(dirname(file), name!), seen);
    else seen.add(name!);
  }
  return seen;
}

test('a plain start loads neither help, entries, launch nor doctor, and of Node only paths', () => {
  const loaded = [...loadedWith(join(SOURCES, 'cli/run.ts'))].map((file) =>
    file.startsWith('/') ? relative(SOURCES, file) : file,
  );
  expect(loaded).toContain('cli/parse.ts');
  for (const later of ['help', 'print-config', 'client-config', 'launch', 'doctor']) {
    expect(loaded).not.toContain(`cli/${later}.ts`);
  }
  expect(loaded.filter((name) => name.startsWith('node:'))).toEqual(['node:path']);
});
