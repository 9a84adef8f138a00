import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findGit } from '../../src/run/git.ts';

/** A program called git that does something first; it comes before all others on a PATH. */
export interface FakePath {
  /** for a process of its own */
  readonly PATH: string;
  /** the real one */
  readonly git: string;
}

/** `lines` are of a shell; `$git` is the real program. */
export function fakePath(folder: string, lines: string): FakePath {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const git = findGit().path;
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ngit='${git}'\n${lines}\n`, { mode: 0o755 });
  return { PATH: [bin, process.env.PATH].join(delimiter), git };
}

/** Records how git is started, and then is git. */
export class Recorder {
  readonly path: FakePath;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, 'started');
    mkdirSync(this.#folder);
    // one file for each process: two may be started at once
    this.path = fakePath(folder, `printf '%s\\0' "$@" > '${this.#folder}'/$$\nexec "$git" "$@"`);
  }

  /** Returns the programs that were started since the last time. */
  take(): string[][] {
    return readdirSync(this.#folder).map((name) => {
      const file = join(this.#folder, name);
      const argv = readFileSync(file, 'utf8').split('\0').slice(0, -1);
      rmSync(file);
      return argv;
    });
  }
}
