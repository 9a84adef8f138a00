import {
  completePath,
  locate,
  makeDirectory,
  moveEntry,
  openChildFile,
  openDirectory,
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
import { withoutVerification } from '../../packages/kit/src/boundary/verification.ts';
import { type Arena, insideText, openArena, outsideText } from './race.ts';

// the full run races for minutes
const enoughFlips = process.env.ROOTBOUND_FULL === '1' ? 400_000 : 20_000;

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

/** Repeats an operation until the attacker has flipped often enough; it returns what it learned of outside. */
async function underAttack(operate: (scope: Scope, turn: number) => string | undefined): Promise<Tally> {
  const tally: Tally = { inside: 0, refused: 0, leaked: [] };
  for (let turn = 0; arena.flips() < enoughFlips || turn < 2000; ) {
    for (let end = turn + 100; turn < end; turn++) {
      try {
        const leak = operate(arena.scope, turn);
        if (leak === undefined) tally.inside++;
        else tally.leaked.push(leak);
      } catch (error) {
        // refused is right while the name leads outside; anything but a refusal is a bug
        if (!(error instanceof ToolError)) throw error;
        tally.refused++;
      }
    }
    // lets the attacker's end be noticed
    await new Promise(setImmediate);
    arena.assertAttacked();
  }
  return tally;
}

const readPaths = ['flip/read.txt', 'flip/sub/read.txt', 'file', 'flip/sub/../read.txt'];

function read(scope: Scope, turn: number): string | undefined {
  const text = readSmall(scope, readPaths[turn % readPaths.length]!, 1000)?.bytes.toString();
  return text === insideText ? undefined : text;
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

function write(scope: Scope, turn: number): string | undefined {
  const name = `flip/new-${turn % 50}`;
  switch (turn % 6) {
    case 0:
      replaceFile(scope, name, insideText);
      return undefined;
    case 1:
      replaceFile(scope, `${name}-folder/a/f`, insideText, { createParents: true });
      return undefined;
    case 2:
      makeDirectory(scope, `flip/made-${turn}/b`);
      return undefined;
    case 3:
      replaceFile(scope, 'file', insideText);
      return undefined;
    case 4:
      moveEntry(scope, 'flip/move.txt', 'flip/moved.txt');
      moveEntry(scope, 'flip/moved.txt', 'flip/move.txt');
      return undefined;
    default: {
      let seen = '';
      updateFile(scope, 'flip/update.txt', (bytes) => {
        seen = bytes.toString();
        return insideText;
      });
      return seen === insideText ? undefined : seen;
    }
  }
}

describe.runIf(process.platform === 'linux')('while names flip between inside and outside', () => {
  test('reading returns no byte of what is outside', async () => {
    const { leaked, inside } = await underAttack(read);
    expect(leaked).toEqual([]);
    expect(inside).toBeGreaterThan(0);
    expect(arena.flips()).toBeGreaterThanOrEqual(enoughFlips);
  });

  test('looking and listing tell no size, name or place of what is outside', async () => {
    const { leaked, inside } = await underAttack(look);
    expect(leaked).toEqual([]);
    expect(inside).toBeGreaterThan(0);
  });

  test('writing, making folders and moving leave everything outside as it was', async () => {
    const { leaked, inside } = await underAttack(write);
    expect([leaked, arena.escapes()]).toEqual([[], []]);
    expect(inside).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform === 'linux')('the same attack with handles unverified', () => {
  test('reads what is outside', async () => {
    expect((await underAttack((...call) => withoutVerification(() => read(...call)))).leaked).toContain(
      outsideText,
    );
  });

  test('lists what is outside', async () => {
    expect(
      (await underAttack((...call) => withoutVerification(() => look(...call)))).leaked.length,
    ).toBeGreaterThan(0);
  });

  test('writes outside', async () => {
    await underAttack((...call) => withoutVerification(() => write(...call)));
    expect(arena.escapes().length).toBeGreaterThan(0);
  });
});
