import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  appendFile,
  copyEntry,
  readSmall,
  removeEntry,
  type Scope,
  setAttributes,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withoutVerification } from '../../packages/kit/src/boundary/verifying/verification.ts';
import { full } from '../extent.ts';
import { type Arena, insideText, openArena } from './race.ts';

// the full run takes minutes
const enoughFlips = full ? 200_000 : 2_000;

let arena: Arena;
beforeEach(async () => {
  arena = await openArena();
});
afterEach(() => arena.end());

/** Makes one change; returns outside content that it brought into the root. */
function change(scope: Scope, turn: number): string | undefined {
  const copy = `copy-${turn}`;
  switch (turn % 6) {
    case 0:
      void appendFile(scope, 'flip/append.txt', insideText);
      return undefined;
    case 1:
      void appendFile(scope, 'flip/update.txt', '');
      return undefined;
    case 2:
      void setAttributes(scope, turn % 4 ? 'file' : 'flip/update.txt', {
        mode: 0o604,
        modified: new Date(0),
      });
      return undefined;
    case 3: {
      void copyEntry(scope, turn % 4 ? 'flip/read.txt' : 'flip/sub/read.txt', copy);
      const text = readSmall(scope, copy, 1000)?.bytes.toString();
      void removeEntry(scope, copy);
      return text === insideText ? undefined : text;
    }
    case 4:
      void copyEntry(scope, 'flip/update.txt', `flip/${copy}`);
      return undefined;
    default:
      void removeEntry(scope, `flip/copy-${turn - 1}`);
      return undefined;
  }
}

/** Repeats changes until the attacker has flipped often enough. */
async function underAttack(operate: typeof change): Promise<{ done: number; brought: string[] }> {
  const tally = { done: 0, brought: [] as string[] };
  for (let turn = 0; arena.flips() < enoughFlips || turn < (full ? 2000 : 960); ) {
    for (let end = turn + 96; turn < end; turn++) {
      try {
        const text = operate(arena.scope, turn);
        if (text === undefined) tally.done++;
        else tally.brought.push(text);
      } catch (error) {
        // a ToolError is correct while the name leads outside; any other error is a bug
        if (!(error instanceof ToolError)) throw error;
      }
    }
    // lets the exit of the attacker be detected
    await new Promise(setImmediate);
    arena.assertAttacked();
  }
  return tally;
}

function outsideFacts(): unknown[] {
  return ['read.txt', 'update.txt', 'sub/read.txt'].map((name) => {
    const { mode, mtimeMs } = statSync(join(arena.root, '../outside', name));
    return [name, mode, mtimeMs];
  });
}

describe.runIf(process.platform === 'linux')('while names flip between inside and outside', () => {
  test('appending, copying, deleting and setting attributes neither change nor copy outside files', async () => {
    const before = outsideFacts();
    const { done, brought } = await underAttack(change);
    expect([brought, arena.escapes(), outsideFacts()]).toEqual([[], [], before]);
    expect(done).toBeGreaterThan(0);
  });

  test('they do with unverified handles', async () => {
    const before = outsideFacts();
    const { brought } = await underAttack((...call) => withoutVerification(() => change(...call)));
    expect(brought.length).toBeGreaterThan(0);
    expect(arena.escapes().length).toBeGreaterThan(0);
    expect(outsideFacts()).not.toEqual(before);
  });
});
