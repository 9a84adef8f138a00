import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findGit, type Git } from '../../src/run/git.ts';
import { scratch } from '../scratch.ts';

export interface Fake extends Git {
  readonly folder: string;
  /** what it was started with */
  argv(): string[];
  variables(): Record<string, string>;
}

const split = (file: string): string[] => readFileSync(file, 'latin1').split('\0').slice(0, -1);

/** A program called git that records how it was started, then does what the lines say. */
export function fakeGit(lines: string, operator: Record<string, string> = {}): Fake {
  const { folder } = scratch();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const record = `printf '%s\\0' "$@" > "${folder}/argv"; env -0 > "${folder}/environment"; echo $$ > "${bin}/pid"`;
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${record}\n${lines}\n`, { mode: 0o755 });
  const git = findGit({ environment: { ...operator, PATH: `${bin}:/usr/bin:/bin` } });
  return {
    ...git,
    folder,
    argv: () => split(join(folder, 'argv')),
    variables: () =>
      Object.fromEntries(
        split(join(folder, 'environment')).map((line) => {
          const at = line.indexOf('=');
          return [line.slice(0, at), line.slice(at + 1)];
        }),
      ),
  };
}

/** Tells by a named pipe when a program has begun, and when all of its processes are gone. */
export interface Witness {
  /** for a shell: opens the pipe, which all that it starts then hold too, and says that it is there */
  readonly hello: string;
  readonly begun: Promise<unknown>;
  readonly gone: Promise<unknown>;
}

export function witness(folder: string): Witness {
  const pipe = join(folder, 'witness');
  execFileSync('mkfifo', [pipe]);
  const reading = createReadStream(pipe);
  const begun = once(reading, 'data');
  const gone = once(reading, 'end');
  return { hello: `exec 9>"${pipe}"; echo here >&9`, begun, gone };
}

/** Lets nothing else happen here until a fake git has ended. */
export function busyUntilDead({ folder }: Fake): void {
  const file = join(folder, 'bin', 'pid');
  for (;;) {
    const pid = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (pid !== '' && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return;
  }
}

export function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
