import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  FULL_ONLY,
  longTests,
  MARKER,
  SAME_UNDER_EVERY_NODE,
  testFiles,
  testsOfOtherNode,
  UNDER_EACH_NODE,
  UNDER_ONE_NODE,
  usualTests,
  WITH_BROWSER,
} from '../../scripts/selection.mjs';
import { importsOf } from './graph.ts';

const root = join(import.meta.dirname, '..', '..');

/** Makes a folder like a checkout with these files. */
function checkout(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-selection-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['packages', 'servers', 'test']) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const reading = `export const full = process.env.${MARKER} === '1';`;
const importing = (path: string): string => `import {\n  full,\n} from '${path}';`;

test('a test is long by what it reads, by what it imports from wherever, and by what that starts', () => {
  const folder = checkout({
    'servers/a/test/itself.test.ts': reading,
    'servers/a/test/seeds.ts': reading,
    'servers/a/test/harness.ts': importing('./seeds.ts'),
    'servers/a/test/deep/far.test.ts': importing('../harness.ts'),
    'servers/a/src/b.ts': reading,
    'servers/a/dist/built.test.ts': reading,
    [`${WITH_BROWSER}whole.test.ts`]: '',
    'test/across.test.ts': importing('../servers/a/test/seeds.ts'),
    'test/starts.test.ts': "new URL('./program.mjs', import.meta.url);",
    'test/program.mjs': reading,
    'test/short.test.ts': `${importing('./short.ts')}\n${importing('../servers/a/src/b.ts')}`,
    'test/short.ts': 'export const full = false;',
  });
  expect(longTests(folder)).toEqual([
    'servers/a/test/deep/far.test.ts',
    'servers/a/test/itself.test.ts',
    `${WITH_BROWSER}whole.test.ts`,
    'test/across.test.ts',
    'test/starts.test.ts',
  ]);
});

test('the full run has tests of every kind, and none that are the same in both runs', () => {
  const long = longTests(root);
  expect(long).toEqual(
    expect.arrayContaining([
      'packages/protocol/test/http/fuzz.test.ts',
      'servers/git/test/proofs/states.test.ts',
      'servers/sqlite/test/proofs/kills.test.ts',
      'test/security/race.test.ts',
    ]),
  );
  expect(long).not.toContain('test/json-schema/vectors.test.ts');
});

test('one file reads whether this is the full run, and the others ask it', () => {
  const modules = testFiles(root, /\.m?ts$|\.mjs$/);
  const reading = modules.filter((file) => readFileSync(join(root, file), 'utf8').includes(`env.${MARKER}`));
  expect(reading).toEqual(['test/extent.ts']);
});

test('each test is run by npm test or by the full run, and most by the first', () => {
  const usual = new Set(usualTests(root));
  const long = new Set(longTests(root));
  const all = testFiles(root);
  expect(all.filter((file) => !usual.has(file) && !long.has(file))).toEqual([]);
  expect(usual.size).toBeGreaterThan(0.85 * all.length);
  const rest = all.filter((file) => !usual.has(file));
  expect(FULL_ONLY.filter((part) => !rest.some((file) => file.startsWith(part)))).toEqual([]);
});

/** Imports whose behaviour depends on the version of Node. */
const ofNode =
  / (?:node:(?:child_process|crypto|dns|http|https|net|readline|sqlite|stream|timers|tls|worker_threads)|undici|@rootbound\/\S+)/;
/** These tests start only the compiler. */
const compiling = 'packages/protocol/test/surface/cost.test.ts';

test('what other Nodes leave out is there, and nothing in it serves, connects, starts a program or encrypts', () => {
  const shares = [0, 1].map((index) => testsOfOtherNode(root, index, 2));
  const elsewhere = new Set(shares.flat());
  const left = testFiles(root).filter((file) => !elsewhere.has(file));
  const unmet = [...SAME_UNDER_EVERY_NODE, ...UNDER_ONE_NODE, WITH_BROWSER].filter(
    (part) => !left.some((file) => file.startsWith(part)),
  );
  expect(unmet).toEqual([]);
  const both = shares[0]!.filter((file) => shares[1]!.includes(file));
  expect(both.filter((file) => !UNDER_EACH_NODE.some((part) => file.startsWith(part)))).toEqual([]);
  expect(UNDER_EACH_NODE.filter((part) => !both.some((file) => file.startsWith(part)))).toEqual([]);
  const touching = left
    .filter((file) => ![WITH_BROWSER, ...UNDER_ONE_NODE, compiling].some((part) => file.startsWith(part)))
    .flatMap((file) => importedBy(file).map((name) => `${file} comes with ${name}`))
    .filter((line) => ofNode.test(line));
  expect(touching).toEqual([]);
});

/** Returns the imports of a test and of its helpers. */
function importedBy(test: string): string[] {
  const found = new Set([test]);
  for (const name of found) {
    if (!name.endsWith('.ts') || name.includes('/src/') || !existsSync(join(root, name))) continue;
    for (const each of importsOf(root, name, readFileSync(join(root, name), 'utf8'))) found.add(each);
  }
  return [...found];
}
