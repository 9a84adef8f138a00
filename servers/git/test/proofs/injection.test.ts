import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from '../../src/run/verb-rule.ts';
import { verbs } from '../../src/run/verbs.ts';
import { formerNames, spec } from '../../src/spec.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { rows, type Schema, type Slot, slotsOf } from './hostile-calls.ts';
import { Recorder } from './recorded.ts';

/** They would make a file of that name; blanks are left to the shell, so that most are also names of references. */
const OWNED = 'owned';
const hostile = [
  `--output=${OWNED}`,
  `-O${OWNED}`,
  `--exec=touch\${IFS}${OWNED}`,
  `--upload-pack=touch\${IFS}${OWNED};`,
  '-c',
  '--',
  `;touch\${IFS}${OWNED}`,
  `$(touch\${IFS}${OWNED})`,
  `ext::touch% ${OWNED}`,
  'a\nb',
  'a\0b',
];
/** How many of them each argument meets: others at each. */
const few = full ? 4 : 1;

const served = new Served();
const { folder, git, write } = scratch();
const recorder = new Recorder(folder);
const root = join(folder, 'root');
const usualPath = process.env.PATH;

const tools = [...spec.tools, ...Object.keys(formerNames)];
const slots = new Map<string, Slot[]>();

beforeAll(async () => {
  makePatterns();
  const listed = await (await connected()).listTools();
  // what is called and not listed has no more text than the repository
  const alone: Schema = { properties: { repo_path: { type: 'string' } } };
  for (const name of tools) {
    const schema = listed.find((tool) => tool.name === name)?.inputSchema as Schema | undefined; // as zod writes it
    slots.set(name, slotsOf(schema ?? alone));
  }
});
afterAll(() => {
  process.env.PATH = usualPath;
});

function connected(): Promise<Client> {
  // where the server looks for git
  process.env.PATH = recorder.path.PATH;
  return served.client([root], { extra: { 'allow-protocol': ['https', 'ssh', 'file'] } });
}

/** Two repositories with files and references of hostile names; one is in the middle of a merge. */
function makePatterns(): void {
  mkdirSync(root);
  const work = join(folder, 'work');
  write('work/a', 'one\n');
  git(work, 'init', '-q');
  git(work, 'config', 'user.name', 'Ann Example');
  git(work, 'config', 'user.email', 'ann@example.org');
  const files = hostile.filter((name) => !name.includes('\0'));
  for (const name of files) write(join('work', name), 'one\n');
  git(work, 'add', '--all', '.');
  git(work, 'commit', '-qm', 'first');
  git(work, 'tag', 'v1');
  git(work, 'branch', 'side');
  for (const name of files) {
    const ref = `refs/heads/${name}`;
    git(work, 'update-ref', ref, 'HEAD', { okay: [0, 128] });
    git(work, 'update-ref', ref.replace('heads', 'tags'), 'HEAD', { okay: [0, 128] });
  }
  write('work/a', 'two\n');
  git(work, 'commit', '-qam', 'second');
  git(work, 'clone', '-q', '--mirror', '.', join(root, 'bare.git'));
  git(work, 'remote', 'add', 'origin', `file://${join(root, 'bare.git')}`);
  write('work/a', 'stashed\n');
  git(work, 'stash');
  cpSync(work, join(folder, 'merging'), { recursive: true });
  const merging = join(folder, 'merging');
  git(merging, 'switch', '-q', 'side');
  write('merging/a', 'three\n');
  git(merging, 'commit', '-qam', 'third');
  git(merging, 'merge', 'main', { okay: [1] });
}

/** All that a command line may hold before its operands. */
const bulk = ['--stdin', '--pathspec-from-file=-', '--pathspec-file-nul'];

/** Returns the parts of a command line that are neither an option of ours nor an operand. */
function strange(argv: readonly string[], value: string, { isPath }: Slot): string[] {
  const verb = [argv.slice(0, 2).join(' '), argv[0]!].find((name) => Object.hasOwn(verbs, name));
  // where git has its own programs: the same at every start
  if (argv.join(' ') === '--exec-path') return [];
  if (verb === undefined) return [...argv];
  const { always, confining, flags, options, layout }: Rule = verbs[verb as keyof typeof verbs];
  const known = new Set([...always, ...confining, ...flags, ...bulk]);
  const isOurs = (arg: string): boolean =>
    known.has(arg) ||
    Object.entries(options).some(([option, pattern]) => {
      const glued = option.startsWith('--') ? `${option}=` : option;
      return arg.startsWith(glued) && pattern.test(arg.slice(glued.length));
    });
  const rest = argv.slice(verb.split(' ').length);
  const end = layout.includes('--') ? rest.indexOf('--') : rest.length;
  const found = rest.slice(0, end).filter((arg) => arg.startsWith('-') && (arg === value || !isOurs(arg)));
  const ends = rest.filter((arg) => arg === '--').length;
  return !isPath && ends > (layout.includes('--') ? 1 : 0) ? [...found, '--'] : found;
}

test('every tool that there is is called', () => {
  expect(tools.filter((name) => !Object.hasOwn(rows, name))).toEqual([]);
  const flags = Object.values(verbs).flatMap((rule: Rule) => [
    ...rule.always,
    ...rule.confining,
    ...rule.flags,
  ]);
  expect(flags.filter((flag) => hostile.includes(flag))).toEqual([]);
});

test.each(tools)('no text for %s becomes an option, or runs', async (tool) => {
  const { args = {}, besides = {}, merging = false } = rows[tool]!;
  const client = await connected();
  const here = join(root, tool);
  cpSync(join(folder, merging ? 'merging' : 'work'), here, { recursive: true });
  const named = slots.get(tool)!;
  const usual = named.some(({ name }) => name === 'repo_path') ? { repo_path: here, ...args } : args;
  const reported: unknown[] = [];
  let turn = tools.indexOf(tool);
  for (const slot of named) {
    const values = hostile.filter((_, index) => (index + turn) % hostile.length < few);
    turn += few;
    for (const value of values) {
      const given = { ...usual, ...besides[slot.name], [slot.name]: slot.with(value) };
      const { failed, code, text } = await call(client, tool, given);
      for (const argv of recorder.take()) {
        const found = strange(argv, value, slot);
        if (found.length > 0) reported.push([slot.name, value, argv]);
      }
      if (failed && (code === undefined || text === '')) reported.push([slot.name, value, code, text]);
    }
  }
  expect(reported).toEqual([]);
  expect(served.faults).toEqual([]);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => basename(file) === OWNED)).toEqual([]);
  rmSync(here, { recursive: true });
});
