import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Boundary, type Scope } from '@rootbound/kit/boundary';

/** Size of every file inside, in bytes; files outside have `outsideText`. */
export const insideText = 'inside';
export const outsideText = 'the secret outside, which is longer';

export interface Arena {
  readonly scope: Scope;
  readonly root: string;
  /** number of exchanges of the folder so far */
  flips(): number;
  /** names and contents outside that were created or deleted */
  escapes(): string[];
  /** throws if the attacker has exited */
  assertAttacked(): void;
  end(): Promise<void>;
}

/** Creates a root in which an attacker process exchanges a folder and a file with links to outside in a loop. */
export async function openArena(): Promise<Arena> {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'race-'));
  const root = join(top, 'root');
  const outside = join(top, 'outside');
  const counter = join(top, 'flips');
  writeFileSync(counter, '0');
  for (const folder of [join(root, 'flip'), outside]) {
    const text = folder === outside ? outsideText : insideText;
    mkdirSync(join(folder, 'sub'), { recursive: true });
    for (const name of ['read.txt', 'update.txt', 'move.txt', 'sub/read.txt'])
      writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(outside, 'only-outside'), outsideText);
  writeFileSync(join(root, 'file'), insideText);
  const before = snapshot(outside);
  const attacker = spawn(
    process.execPath,
    [new URL('./attacker.mjs', import.meta.url).pathname, root, outside, counter],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  await once(attacker, 'spawn');
  const boundary = new Boundary({
    roots: [{ path: root, readOnly: false }],
    policy: 'narrow',
    containment: 'kernel',
  });
  return {
    scope: boundary.narrowing().scope(undefined),
    root,
    flips: () => Number(readFileSync(counter, 'utf8')),
    escapes: () => differences(before, snapshot(outside)),
    assertAttacked() {
      if (attacker.exitCode !== null) throw new Error('the attacker stopped');
    },
    async end() {
      await stop(attacker);
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() ? `${name}: ${readFileSync(path, 'utf8')}` : name;
  });
}

function differences(before: string[], after: string[]): string[] {
  const came = after.filter((line) => !before.includes(line));
  return [...came, ...before.filter((line) => !after.includes(line)).map((line) => `gone: ${line}`)];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
