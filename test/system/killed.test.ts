import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { argsOf, type Deed, deeds, furnish, isWhole, namesIn, type Pair, seenIn } from './deaths.ts';
import { call, until, World } from './world.ts';

/** Distance between two tested kills, and the first one, unless each change is tested. */
const STRIDE = full ? 3 : 9;
const seed = Number(process.env.ROOTBOUND_SEED ?? Date.now() % 1000);
const AT_ONCE = 4;

/** The change at which a server is killed. */
interface Death {
  readonly what: string;
  readonly deed: Deed;
  /** number of the change that is not made */
  readonly at: number;
  /** the change, of which half may be made */
  readonly change: string;
  readonly torn: boolean;
}

interface Found {
  readonly pair: Pair;
  readonly death: Death;
  readonly left: string[];
  readonly rest: string[];
}

const argsFor = (pairs: readonly Pair[]): string[] => [
  '--allow-delete',
  ...pairs.flatMap(({ root, second }) => [root, second]),
];
const isOurs = (line: string): boolean => line.includes('.rootbound-');
const dying = (variables: Record<string, string>) => ({
  node: ['--import', join(import.meta.dirname, 'dying.mjs')],
  env: variables,
});

describe('a server that is killed at a file system change', () => {
  const world = new World();
  let disk: string;
  beforeEach(() => {
    disk = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rootbound-system-'));
    world.atEnd(async () => rmSync(disk, { recursive: true }));
  });
  const pairOf = (name: string): Pair => {
    const pair = { root: join(world.root, name), second: join(disk, name) };
    furnish(pair);
    return pair;
  };

  test('leaves the old or the new state, and the next start removes temporary files', {
    timeout: 1_200_000,
  }, async () => {
    const { deaths, afters } = await rehearse();
    const chosen = deaths.filter((_death, index) => index % STRIDE === seed % STRIDE);
    const before = seenIn(pairOf('before'));
    const found: Found[] = [];
    for (let from = 0; from < chosen.length; from += AT_ONCE)
      found.push(
        ...(await Promise.all(chosen.slice(from, from + AT_ONCE).map((death, n) => die(death, from + n)))),
      );
    for (const { death, rest } of found) {
      const whole = isWhole(death.deed, rest, before, afters.get(death.what) ?? []);
      expect([wordsOf(death), whole ? 'whole' : rest]).toEqual([wordsOf(death), 'whole']);
    }
    expect(found.some(({ left }) => left.length > 0)).toBe(true);
    await recover(found);
  });

  /** Makes all calls once without a kill; returns their changes and outcomes. */
  async function rehearse(): Promise<{ deaths: Death[]; afters: Map<string, string[]> }> {
    const log = join(world.top, 'changes');
    const pairs = Object.keys(deeds).map((_what, n) => pairOf(`rehearsal-${n}`));
    const staging = join(pairs.at(-1)!.second, '.rootbound-staging');
    mkdirSync(staging, { mode: 0o700 });
    const client = await world.start({
      args: argsFor(pairs),
      ...dying({ ROOTBOUND_CHANGES: log }),
    });
    // the removal of leftover files is complete when this file is deleted
    await until(
      () => existsSync(staging),
      (left) => !left,
    );
    rmSync(log, { force: true });
    const deaths: Death[] = [];
    const afters = new Map<string, string[]>();
    for (const [n, [what, deed]] of Object.entries(deeds).entries()) {
      const pair = pairs[n]!;
      expect([what, await call(client, deed.tool, argsOf(deed, pair))]).toMatchObject([
        what,
        { code: 'done' },
      ]);
      for (const [at, change] of readFileSync(log, 'utf8').trim().split('\n').entries()) {
        const death = { what, deed, at: at + 1, change, torn: false };
        deaths.push(death, ...(change.startsWith('write') ? [{ ...death, torn: true }] : []));
      }
      rmSync(log);
      afters.set(what, seenIn(pair));
    }
    await client.close();
    return { deaths, afters };
  }

  async function die(death: Death, n: number): Promise<Found> {
    const pair = pairOf(`death-${n}`);
    const { deed, at, torn } = death;
    const client = await world.start({
      args: argsFor([pair]),
      ...dying({ ROOTBOUND_DIES_AT: String(at), ROOTBOUND_DIES: torn ? 'torn' : 'before' }),
    });
    await expect(client.callTool(deed.tool, argsOf(deed, pair)), wordsOf(death)).rejects.toThrow('SIGKILL');
    const lines = seenIn(pair);
    return {
      pair,
      death,
      left: lines.filter(isOurs),
      rest: lines.filter((line) => !isOurs(line)),
    };
  }

  /** Starts the server again: it removes leftover files, changes nothing else, and repeats the call. */
  async function recover(found: readonly Found[]): Promise<void> {
    const client = await world.start({ args: argsFor(found.map(({ pair }) => pair)) });
    // the removal is not reported; temporary files are never listed
    await until(
      () => found.map(({ pair }) => namesIn(pair)),
      (names) => names.every((own) => own?.some(isOurs) === false),
    );
    for (const { pair, death, rest } of found) {
      expect([wordsOf(death), seenIn(pair)]).toEqual([wordsOf(death), rest]);
      const { code } = await call(client, death.deed.tool, argsOf(death.deed, pair));
      const known = new RegExp(`^(?:done|${death.deed.again ?? 'done'})$`);
      expect([wordsOf(death), code]).toEqual([wordsOf(death), expect.stringMatching(known)]);
      expect(seenIn(pair).filter(isOurs)).toEqual([]);
    }
  }
});

function wordsOf({ what, at, change, torn }: Death): string {
  return `seed ${seed}: ${what}, ${torn ? 'in the middle of' : 'before'} change ${at}, ${change}`;
}
