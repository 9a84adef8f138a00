import { readSync } from 'node:fs';
import {
  completePath,
  locate,
  makeDirectory,
  moveEntry,
  openChildFile,
  openDirectory,
  openFile,
  readEntries,
  readSmall,
  replaceFile,
  type Scope,
  statChild,
  statEntry,
  updateFile,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withoutVerification } from '../../packages/kit/src/boundary/verifying/verification.ts';
import { full } from '../extent.ts';
import { type Arena, insideText, openArena, outsideText } from './race.ts';

// the full run takes minutes
const enoughFlips = full ? 250_000 : 2_000;

let arena: Arena;
beforeEach(async () => {
  arena = await openArena();
});
afterEach(() => arena.end());

interface Tally {
  inside: number;
  refused: number;
  leaked: string[];
}

const enoughTurns = full ? 2000 : 600;

/**
 * Repeats an operation until the attacker has flipped often enough, or until `isDemonstrated` returns true. The
 * operation returns facts about outside files that it learned.
 */
async function underAttack(
  operate: (scope: Scope, turn: number) => string | undefined,
  isDemonstrated: (tally: Tally) => boolean = () => false,
): Promise<Tally> {
  const tally: Tally = { inside: 0, refused: 0, leaked: [] };
  for (let turn = 0; (arena.flips() < enoughFlips || turn < enoughTurns) && !isDemonstrated(tally); ) {
    for (let end = turn + 100; turn < end; turn++) {
      try {
        const leak = operate(arena.scope, turn);
        if (leak === undefined) tally.inside++;
        else tally.leaked.push(leak);
      } catch (error) {
        // a ToolError is correct while the name leads outside; any other error is a bug
        if (!(error instanceof ToolError)) throw error;
        tally.refused++;
      }
    }
    // lets the exit of the attacker be detected
    await new Promise(setImmediate);
    arena.assertAttacked();
  }
  return tally;
}

const readPaths = ['flip/read.txt', 'flip/sub/read.txt', 'file', 'flip/sub/../read.txt'];

const shared = Buffer.alloc(1000);

function read(scope: Scope, turn: number): string | undefined {
  const path = readPaths[turn % readPaths.length]!;
  const text = turn % 3 === 0 ? readInParts(scope, path) : readWhole(scope, path, turn % 3 === 1);
  return text === insideText ? undefined : text;
}

function readWhole(scope: Scope, path: string, reuse: boolean): string | undefined {
  return readSmall(scope, path, 1000, reuse ? shared : undefined)?.bytes.toString();
}

function readInParts(scope: Scope, path: string): string {
  const file = openFile(scope, path);
  try {
    const parts = [0, 3, 6].map((at) =>
      shared.toString('utf8', 0, readSync(file.fd, shared, 0, at === 6 ? 900 : 3, at)),
    );
    return parts.join('');
  } finally {
    file.close();
  }
}

function look(scope: Scope, turn: number): string | undefined {
  if (turn % 3 === 0) {
    const facts = statEntry(scope, turn % 2 ? 'file' : 'flip/read.txt');
    const seen = facts.target ?? facts;
    return seen.stat.size === outsideText.length ? `size of ${seen.path}` : undefined;
  }
  if (turn % 3 === 1) {
    const values = completePath(scope, `${arena.root}/flip/only`, 10).values;
    return values.length > 0 || locate(scope, 'flip/read.txt').path.includes('/outside')
      ? `name ${values.join()}`
      : undefined;
  }
  const folder = openDirectory(scope, 'flip');
  try {
    const names = [...readEntries(folder, 'flip')].map((entry) => entry.name);
    const file = openChildFile(folder, 'read.txt');
    file?.close();
    const sizes = [file?.stat.size, statChild(folder, 'read.txt')?.size];
    return names.includes('only-outside') || sizes.includes(outsideText.length)
      ? `listing ${names.join()}`
      : undefined;
  } finally {
    folder.close();
  }
}

type Write = (scope: Scope, turn: number, name: string) => string | undefined;

/** Runs a small change, which is synchronous and returns no facts. */
function blind(change: (...call: Parameters<Write>) => unknown): Write {
  return (...call) => {
    change(...call);
    return undefined;
  };
}

function edit(scope: Scope): string | undefined {
  let seen = '';
  void updateFile(scope, 'flip/update.txt', (bytes) => {
    seen = bytes.toString();
    return insideText;
  });
  return seen === insideText ? undefined : seen;
}

function moveAndBack(scope: Scope): void {
  void moveEntry(scope, 'flip/move.txt', 'flip/moved.txt');
  void moveEntry(scope, 'flip/moved.txt', 'flip/move.txt');
}

const writes: readonly [string, Write][] = [
  ['making a file', blind((scope, _turn, name) => replaceFile(scope, name, insideText))],
  [
    'making a file and the folders above it',
    blind((scope, _turn, name) =>
      replaceFile(scope, `${name}-folder/a/f`, insideText, { createParents: true }),
    ),
  ],
  ['making folders', blind((scope, turn) => makeDirectory(scope, `flip/made-${turn}/b`))],
  ['replacing a file', blind((scope) => replaceFile(scope, 'flip/read.txt', insideText))],
  ['moving a file', blind(moveAndBack)],
  ['editing a file', edit],
];

function write(scope: Scope, turn: number): string | undefined {
  // a link in place of a file is followed only to targets inside the root
  if (turn % 7 === 6) void replaceFile(scope, 'file', insideText);
  const [, operate] = writes[turn % writes.length]!;
  return operate(scope, turn, `flip/new-${turn % 50}`);
}

describe.runIf(process.platform === 'linux')('while names flip between inside and outside', () => {
  test('reading returns no outside byte', async () => {
    const { leaked, inside } = await underAttack(read);
    expect(leaked).toEqual([]);
    expect(inside).toBeGreaterThan(0);
    expect(arena.flips()).toBeGreaterThanOrEqual(enoughFlips);
  });

  test('stat and listings return no size, name or path of an outside file', async () => {
    const { leaked, inside } = await underAttack(look);
    expect(leaked).toEqual([]);
    expect(inside).toBeGreaterThan(0);
  });

  test('writing, creating folders and moving leave outside files unchanged', async () => {
    const { leaked, inside } = await underAttack(write);
    expect([leaked, arena.escapes()]).toEqual([[], []]);
    expect(inside).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform === 'linux')('the same attack with handles unverified', () => {
  const unverified =
    (operate: typeof read): typeof read =>
    (...call) =>
      withoutVerification(() => operate(...call));

  // each operation has its own test, so that one that detects nothing fails
  test.each([
    ['in one piece', (scope: Scope) => readWhole(scope, 'flip/read.txt', false)],
    ['in parts', (scope: Scope) => readInParts(scope, 'flip/sub/read.txt')],
    ['through a link in place of the file', (scope: Scope) => readWhole(scope, 'file', true)],
  ])('reads outside files %s', async (_form, operate) => {
    const leak = (text: string | undefined) => (text === outsideText ? text : undefined);
    const { leaked } = await underAttack(
      unverified((scope) => leak(operate(scope))),
      (tally) => tally.leaked.length > 0,
    );
    expect(leaked).toContain(outsideText);
  });

  test('lists outside files', async () => {
    const { leaked } = await underAttack(unverified(look), (tally) => tally.leaked.length > 0);
    expect(leaked).not.toEqual([]);
  });

  test.each(writes)('%s changes outside files', async (_name, operate) => {
    await underAttack(
      unverified((scope, turn) => operate(scope, turn, `flip/new-${turn % 50}`)),
      () => arena.escapes().length > 0,
    );
    expect(arena.escapes()).not.toEqual([]);
  });
});
