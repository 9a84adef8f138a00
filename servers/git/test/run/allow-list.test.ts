import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Rule, verbs } from '../../src/run/verbs.ts';

const folder = join(import.meta.dirname, '..', '..', 'src');
const tables = /\bverb[-\w]*\.ts$|-verbs\.ts$/;

interface Source {
  readonly text: string;
  /** the texts of the modules that it imports */
  readonly imported: readonly string[];
}

/** The sources that build command lines. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !tables.test(file))
  .map((file) => sourceAt(join(folder, file)))
  .filter(({ text }) => /\bcommand\(/.test(text));

function sourceAt(file: string): Source {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const modules = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, module]) => join(dirname(file), module!));
  const outside = modules.filter((module) => !tables.test(module));
  return { text, imported: outside.map((module) => readFileSync(module, 'utf8')) };
}

/** Whether a text has a word as a literal, or a template that can have it as its value. */
function names(text: string, word: string): boolean {
  const templates = [...text.matchAll(/`([-a-z][^`$]*)\$\{[^}]*\}`/g)];
  return text.includes(`'${word}'`) || templates.some(([, begin]) => word.startsWith(begin!));
}

/** Whether a source calls `command` with a verb, or with a value that can be the verb. */
function asks({ text }: Source, verb: string): boolean {
  if (new RegExp(`\\bcommand\\(\\s*'${verb}'`).test(text)) return true;
  return /\bcommand\((?!\s*')/.test(text) && names(text, verb);
}

/** Returns the verbs and options that no source asks for, each as it is on a command line. */
function findUnused(table: Readonly<Record<string, Rule>>): string[] {
  return Object.entries(table).flatMap(([verb, { flags, options }]) => {
    const asking = sources.filter((source) => asks(source, verb));
    if (asking.length === 0) return [verb];
    const texts = asking.flatMap(({ text, imported }) => [text, ...imported]);
    const unused = [...flags, ...Object.keys(options)].filter(
      (option) => !texts.some((text) => names(text, option)),
    );
    return unused.map((option) => `${verb} ${option}`);
  });
}

test('every verb and option of the allow-list is asked for by a source', () => {
  expect(findUnused(verbs)).toEqual([]);
});

test('a verb or option that no source asks for is found', () => {
  const planted: Record<string, Rule> = {
    'filter-branch': verbs.log,
    log: { ...verbs.log, flags: [...verbs.log.flags, '--shortstat'], options: { '-G': /^/, '--glob': /^/ } },
  };
  expect(findUnused(planted)).toEqual(['filter-branch', 'log --shortstat', 'log --glob']);
});
