import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFaults, REPLACED } from '../../scripts/words.mjs';
import { document, root, tableUnder } from './documents.ts';

test.each([
  ['a variable', 'src/a.ts', 'const x = 1;\nconst told = x;\n', ['src/a.ts:2: "told" has the word told']],
  [
    'a part of a name',
    'src/a.ts',
    'function untilStill() {}\n',
    ['src/a.ts:1: "untilStill" has the word still'],
  ],
  ['a constant', 'src/a.ts', 'const MOST_SAID = 3;\n', ['src/a.ts:1: "MOST_SAID" has the word said']],
  ['a private member', 'src/a.ts', 'class A { #shown = 1; }\n', ['src/a.ts:1: "shown" has the word shown']],
  [
    'a member of a type',
    'src/a.ts',
    'interface A { losses: number }\n',
    ['src/a.ts:1: "losses" has the word'],
  ],
  ['the name of a file', 'src/sheet.ts', 'export {};\n', ['src/sheet.ts:1: "sheet" has the word sheet']],
  ['a vague file', 'src/place.ts', 'export {};\n', ['src/place.ts:1: the name of the file is no noun']],
  ['a comment', 'src/a.ts', '/** What a call gives. */\nexport {};\n', ['src/a.ts:1: begins with What']],
  [
    'a later sentence',
    'src/a.ts',
    '// A page. What is left stays.\nexport {};\n',
    ['src/a.ts:1: begins with'],
  ],
  [
    'a paragraph',
    'src/a.ts',
    '/**\n * A page\n *\n * What is left.\n */\n',
    ['src/a.ts:2: begins with What'],
  ],
  ['a message', 'src/a.ts', "export const text = 'What is left stays.';\n", ['src/a.ts:1: begins with What']],
  ['a document', 'a.md', 'A page.\n\nOne. What is left stays.\n', ['a.md:3: begins with What: What is left']],
])('the fault in %s is found', (_where, file, text, faults) => {
  expect(findFaults(file, text)).toEqual(faults.map((fault) => expect.stringContaining(fault)));
});

test.each([
  ['a question', 'src/a.ts', '// What is left?\nexport {};\n'],
  ['a word within a word', 'src/a.ts', 'const aforesaid = 1;\nconst installed = aforesaid;\n'],
  ['a word in a text', 'src/a.ts', "export const text = 'as told';\n"],
  ['a sentence in a test', 'test/a.ts', "test('What is left stays', () => {});\n"],
  ['a heading', 'a.md', '# What is left\n'],
  ['a block of code', 'a.md', '```text\nSo. What is left\n```\n'],
  ['a later What', 'src/a.ts', '/** Returns what is left. */\nexport {};\n'],
  ['the sheet of a workbook', 'servers/fetch/src/a.ts', 'const sheet = 1;\n'],
])('%s is no fault', (_where, file, text) => {
  expect(findFaults(file, text)).toEqual([]);
});

test('the program fits on a page of 80 lines', () => {
  const program = readFileSync(join(root, 'scripts', 'words.mjs'), 'utf8');
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});

test('the glossary has the replaced words of the program, and each of its own words once, in order', () => {
  const glossary = document('docs/glossary.md');
  expect(tableUnder(glossary, 'Replaced words')).toEqual([...REPLACED]);
  const words = tableUnder(glossary, 'Glossary')
    .filter((cells) => cells.length === 3)
    .map(([word]) => word!);
  expect(words).toEqual([...new Set(words)].toSorted());
  expect(words.length).toBeGreaterThanOrEqual(40);
});
