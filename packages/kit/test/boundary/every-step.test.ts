import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import {
  appendFile,
  Boundary,
  copyEntry,
  makeDirectory,
  moveEntry,
  parseRootSpec,
  removeEntry,
  replaceFile,
  type Scope,
  setAttributes,
  updateFile,
} from '../../src/boundary.ts';
import { type Hook, hooked } from './failing-calls.ts';

const operations: Readonly<Record<string, (scope: Scope) => unknown>> = {
  replace: (scope) => replaceFile(scope, 'd/f', 'new'),
  'make with folders': (scope) => replaceFile(scope, 'd/a/b/n', 'new', { createParents: true }),
  'make alone': (scope) => replaceFile(scope, 'd/n', 'new', { exclusive: true }),
  update: (scope) => updateFile(scope, 'd/f', (bytes) => [bytes, 'new']),
  append: (scope) => appendFile(scope, 'd/f', 'new'),
  'append to one of two names': (scope) => appendFile(scope, 'd/l', 'new'),
  'set a mode': (scope) => setAttributes(scope, 'd/f', { mode: 0o640 }),
  'set a time': (scope) => setAttributes(scope, 'd/f', { modified: new Date(0) }),
  'make a folder': (scope) => makeDirectory(scope, 'd/n/m'),
  'copy a file': (scope) => copyEntry(scope, 'd/f', 'e/n'),
  'copy a link': (scope) => copyEntry(scope, 'd/s', 'e/n'),
  'move a file': (scope) => moveEntry(scope, 'd/f', 'e/n'),
  'move a link': (scope) => moveEntry(scope, 'd/s', 'e/n'),
  'move a folder': (scope) => moveEntry(scope, 'd/sub', 'e/n'),
  delete: (scope) => removeEntry(scope, 'd/f'),
};

/** The changes that another process makes in the middle. */
const attacks: Readonly<Record<string, (top: string) => void>> = {
  'its folder becomes a link': (top) => swap(top, 'root/d'),
  'the other folder becomes a link': (top) => swap(top, 'root/e'),
  'the root becomes a link': (top) => swap(top, 'root'),
  'a new folder becomes a link': (top) => swap(top, 'root/d/a'),
  'the folder for what waits becomes a link': (top) => swap(top, 'root/.rootbound-staging'),
  'the file becomes a link': (top) =>
    replaceBy(top, 'root/d/f', (path) => symlinkSync('../../outside/f', path)),
  'the file becomes one outside': (top) =>
    replaceBy(top, 'root/d/f', (path) => linkSync(join(top, 'outside/f'), path)),
};

function swap(top: string, folder: string): void {
  const path = join(top, folder);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  renameSync(path, join(top, 'elsewhere', 'taken'));
  symlinkSync(join(top, 'outside'), path);
}

function replaceBy(top: string, file: string, make: (path: string) => void): void {
  if (lstatSync(join(top, file), { throwIfNoEntry: false })?.isFile() !== true) return;
  rmSync(join(top, file));
  make(join(top, file));
}

// in memory, where there is such a folder: hundreds of trees are made
const base = realpathSync(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

function plant(): string {
  const top = mkdtempSync(join(base, 'steps-'));
  for (const folder of ['root/d/sub', 'root/e', 'outside/a', 'outside/e', 'elsewhere'])
    mkdirSync(join(top, folder), { recursive: true });
  for (const file of ['d/f', 'd/sub/f', 'd/l']) writeFileSync(join(top, 'root', file), 'old');
  linkSync(join(top, 'root/d/l'), join(top, 'elsewhere/l'));
  symlinkSync('f', join(top, 'root/d/s'));
  for (const file of ['f', 'n', 'l', 's']) writeFileSync(join(top, 'outside', file), 'the secret');
  return top;
}

/** All that a folder holds, with kinds, modes, times and content; links are not followed. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const { mode, mtimeMs } = lstatSync(path);
    if (entry.isDirectory()) return [`${path} ${mode}`, ...contentOf(path)];
    return [`${path} ${mode} ${mtimeMs} ${entry.isFile() ? readFileSync(path, 'utf8') : ''}`];
  });
}

interface Run {
  readonly top: string;
  readonly done: boolean;
  /** what should not be */
  readonly faults: string[];
}

/** Runs an operation in a fresh tree, with what holds after any run looked at. */
function run(operation: (scope: Scope) => unknown, hookIn: (top: string) => Hook): Run {
  const top = plant();
  const specs = [parseRootSpec(join(top, 'root'))];
  const scope = new Boundary({ roots: specs, policy: 'ignore', containment: 'kernel' }).operatorScope();
  const outside = contentOf(join(top, 'outside'));
  const open = readdirSync('/proc/self/fd').length;
  const faults: string[] = [];
  let done = false;
  try {
    hooked(hookIn(top), () => operation(scope));
    done = true;
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ToolError') faults.push(`threw ${name}: ${message}`);
    if (message.includes(top)) faults.push(`told the path: ${message}`);
  }
  if (readdirSync('/proc/self/fd').length !== open) faults.push('left a descriptor open');
  if (String(contentOf(join(top, 'outside'))) !== String(outside)) faults.push('changed what is outside');
  return { top, done, faults };
}

function callsOf(operation: (scope: Scope) => unknown): string[] {
  const calls: string[] = [];
  const { top } = run(operation, () => (call) => void calls.push(call));
  rmSync(top, { recursive: true });
  return calls;
}

/** A hook that acts right before one call of the system. */
function at(step: number, act: () => Error | undefined): Hook {
  let now = 0;
  return () => (now++ === step ? act() : undefined);
}

const names = Object.keys(operations);
const everyAttack = Object.keys(attacks).length;

describe.runIf(process.platform === 'linux')('whatever happens between two calls of the system', () => {
  test.each(names)('%s: nothing outside is read or changed', (name) => {
    const operation = operations[name]!;
    const calls = callsOf(operation);
    // each attack at each step, and in `npm test` each step with one attack
    for (const [index, [attack, go]] of Object.entries(attacks).entries())
      for (const [step, call] of calls.entries()) {
        if (!full && step % everyAttack !== index) continue;
        const hookIn = (top: string): Hook =>
          at(step, () => {
            go(top);
            return undefined;
          });
        const { top, faults } = run(operation, hookIn);
        const brought =
          attack !== 'the file becomes one outside' &&
          contentOf(
            lstatSync(join(top, 'root')).isDirectory() ? join(top, 'root') : join(top, 'elsewhere'),
          ).some((line) => line.endsWith('the secret'));
        if (brought) faults.push('brought in what is outside');
        expect([attack, call, step, faults]).toEqual([attack, call, step, []]);
        rmSync(top, { recursive: true });
      }
  });
});

describe.runIf(process.platform === 'linux')('whichever call of the system fails', () => {
  // attributes are set one after the other
  const whole = names.filter((name) => !name.startsWith('set'));
  test.each(whole)('%s: it is done whole or not at all, and leaves nothing behind', (name) => {
    const operation = operations[name]!;
    const tops = [plant(), run(operation, () => () => undefined).top];
    const [before, after] = tops.map(stateOf);
    for (const top of tops) rmSync(top, { recursive: true });
    const makesFolders = name.startsWith('make') && name.includes('folder');
    for (const [step, call] of callsOf(operation).entries()) {
      // of these all that can be told is that something stayed; nor is a new link known that cannot be looked at
      if (call === 'rmdirSync' || call === 'unlinkSync') continue;
      if (call === 'lstatSync' && name === 'move a link') continue;
      for (const code of full ? ['EIO', 'EACCES'] : ['EIO']) {
        const hookIn = (): Hook => at(step, () => Object.assign(new Error(code), { code }));
        const { top, done, faults } = run(operation, hookIn);
        expect([code, call, step, faults]).toEqual([code, call, step, []]);
        const state = stateOf(top);
        // folders above what could not be made are no loss
        if (!makesFolders || done)
          expect([code, call, step, state]).toEqual([code, call, step, done ? after : before]);
        rmSync(top, { recursive: true });
      }
    }
  });
});

describe.runIf(process.platform === 'linux')('a file that somebody takes away while it moves', () => {
  const move = operations['move a file']!;

  /** The move, whose file is taken away right before one of its calls, and where the file is after it. */
  function moveWhile(step: number, take: (file: string, top: string) => void) {
    const hookIn = (top: string): Hook =>
      at(step, () => {
        if (existsSync(join(top, 'root/d/f'))) take(join(top, 'root/d/f'), top);
        return undefined;
      });
    const { top, done, faults } = run(move, hookIn);
    const isAt = (path: string): boolean => existsSync(join(top, path));
    const places = ['root/d/f', 'root/e/n', 'root/e/taken'].filter(isAt);
    rmSync(top, { recursive: true });
    return { done, faults, places };
  }

  test('to another name has one name, and one of the two was done', () => {
    for (const [step, call] of callsOf(move).entries()) {
      const { done, faults, places } = moveWhile(step, (file, top) => {
        linkSync(file, join(top, 'root/e/taken'));
        rmSync(file);
      });
      const where = done ? 'root/e/n' : 'root/e/taken';
      expect([call, step, faults, places]).toEqual([call, step, [], [where]]);
    }
  });

  test('by deleting it stays under its new name once it has that', () => {
    const calls = callsOf(move);
    for (const [step, call] of calls.entries()) {
      const { done, faults, places } = moveWhile(step, (file) => rmSync(file));
      const isThere = step > calls.indexOf('linkSync');
      const expected = [call, step, [], isThere, isThere ? ['root/e/n'] : []];
      expect([call, step, faults, done, places]).toEqual(expected);
    }
  });
});

/** The tree without times, to compare with another one. */
function stateOf(top: string): string[] {
  return contentOf(join(top, 'root'))
    .map((line) => line.slice(top.length).replace(/ \d+\.?\d*(?= \S*$)/, ''))
    .sort();
}
