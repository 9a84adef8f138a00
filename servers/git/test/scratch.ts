import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGit, type Git } from '../src/run/git.ts';
import type { Place } from '../src/run/work-place.ts';

export interface GitInput {
  readonly input?: Buffer | string;
  /** beyond and before the clean one */
  readonly environment?: Readonly<Record<string, string>>;
  /** exit statuses that are no failure, default 0 alone */
  readonly okay?: readonly number[];
}

export interface Scratch {
  /** an empty folder, by its real path; all of them are removed after the tests of the file */
  readonly folder: string;
  /** Runs the real git in a folder with a clean environment: what it printed. Each call is a minute later than the last. */
  git(folder: string, ...args: readonly (string | GitInput)[]): Buffer;
  /** Writes a file of `folder` with the folders that lead to it: its path. */
  write(path: string, content: string | Buffer, mode?: number): string;
}

const settings = [
  ['init.defaultBranch', 'main'],
  ['protocol.file.allow', 'always'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
];
/** 2026-01-01T00:00:00Z */
const start = 1_767_225_600;
const folders: string[] = [];
/** how often folders were removed: at the end of each file of tests */
let files = 0;

/** Whose commits the tests make, for a run that makes some. */
export const identity = {
  GIT_AUTHOR_NAME: 'Ann Example',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann Example',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
} as const;

/** Removes what the tests of a file have made; each file does so at its end. */
export function removeScratch(): void {
  files += 1;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns what `make` makes of scratch folders, once for a file of tests: the next file's modules may be the same. */
export function oncePerFile<T>(make: () => T): () => T {
  let made: { value: T; file: number } | undefined;
  return () => {
    if (made?.file !== files) made = { value: make(), file: files };
    return made.value;
  };
}

/** Returns a maker of scratch folders that are copies of one, which `build` makes once for a file of tests. */
export function copies(build: (made: Scratch) => void): () => Scratch {
  const pattern = oncePerFile(() => {
    const made = scratch();
    build(made);
    return made;
  });
  return () => {
    const copy = scratch(start + 86_400); // whatever was built, a copy goes on later
    cpSync(pattern().folder, copy.folder, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
    return copy;
  };
}

/** A folder and a git for tests: no configuration of this machine takes part, and equal calls make equal objects. */
export function scratch(begin: number = start): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-git-')));
  folders.push(folder);
  let time = begin;
  const git = (cwd: string, ...given: readonly (string | GitInput)[]): Buffer => {
    const args = given.filter((arg) => typeof arg === 'string');
    const {
      input,
      environment,
      okay = [0],
    } = (given.find((arg) => typeof arg !== 'string') ?? {}) as GitInput;
    time += 60;
    const env = { ...cleanEnvironment(time), ...environment };
    const ended = spawnSync('git', args, { cwd, env, input: input ?? '', maxBuffer: 1 << 30 });
    if (ended.error !== undefined) throw ended.error;
    if (okay.includes(ended.status ?? -1)) return ended.stdout;
    throw new Error(
      `git ${args.join(' ')} ended with ${ended.status ?? ended.signal}: ${ended.stderr.toString()}`,
    );
  };
  const write = (path: string, content: string | Buffer, mode = 0o644): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    return file;
  };
  return { folder, git, write };
}

/** Returns the environment for the git of tests, at a time in seconds since 1970. */
export function cleanEnvironment(time: number = start): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    ...identity,
    GIT_AUTHOR_DATE: `${time} +0000`,
    GIT_COMMITTER_DATE: `${time} +0000`,
  };
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key!;
    environment[`GIT_CONFIG_VALUE_${index}`] = value!;
  }
  return environment;
}

/** Where a repository that was made in a folder keeps its things: bare, or with its work tree around `.git`. */
export function placeOf(folder: string): Place {
  const gitDir = join(folder, '.git');
  return existsSync(gitDir) ? { gitDir, workTree: folder } : { gitDir: folder, workTree: undefined };
}

/** The git of this machine as the server would run it, for an operator without any configuration. */
export function cleanGit(added: Readonly<Record<string, string>> = {}): Git {
  return findGit({ environment: { ...cleanEnvironment(), ...added } });
}
