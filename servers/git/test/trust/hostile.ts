import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, oncePerFile, type Scratch, scratch } from '../scratch.ts';

/** One way in which the configuration of a repository makes git execute what its author chose. */
export interface Vector {
  readonly name: string;
  /** Plants the payload in a repository that has everything else which git needs to reach it. */
  plant(site: Site): void;
  /** plain git commands, each of which runs the payload by itself in a fresh repository */
  readonly fires: readonly Firing[];
  /** what stops it: the configuration of the audit alone, or flags and environment of the executor */
  readonly stoppedBy: 'configuration' | 'executor';
  /** keys that the audit must list as suppressed */
  readonly listed: readonly string[];
}

export type Firing =
  | readonly string[]
  | { readonly args: readonly string[]; readonly input?: string; readonly within?: string };

/** A repository in a folder of its own; nothing that the payload touches lies in the repository. */
export interface Site {
  readonly folder: string;
  readonly repository: string;
  /** an executable that leaves the marker and ends well */
  readonly payload: string;
  /** the payload as a shell command that also copies its input */
  readonly copier: string;
  readonly marker: string;
  /** the folder that stands for the operator's home */
  readonly home: string;
  git(...args: readonly string[]): string;
  set(key: string, value: string): void;
  write(path: string, content: string, mode?: number): string;
  /** Whether the payload ran since this was asked last. */
  fired(): boolean;
  /** Runs a command as somebody at a terminal would, with no defence but those that git has; its failure does not count. */
  plain(
    firing: Firing,
    configuration?: readonly (readonly [string, string])[],
    environment?: Readonly<Record<string, string>>,
  ): string;
  /** Puts everything back as it was when the vector had been planted. */
  reset(): void;
}

const patternOf = oncePerFile(makePattern);

/** A repository with the vector in it, in which every verb has something to do. */
export function hostile(vector: Vector): Site {
  const { folder, git } = scratch();
  cpSync(patternOf(), folder, { recursive: true, verbatimSymlinks: true });
  const site = siteAt(folder, git);
  vector.plant(site);
  // its stat is stale and its size is not, so that git must read it; the other one has a change
  utimesSync(join(site.repository, 'file.txt'), 1_700_000_000, 1_700_000_000);
  site.write('other.txt', 'OTHER\n');
  rmSync(site.marker, { force: true });
  cpSync(folder, `${folder}-kept`, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(`${folder}-kept`, { recursive: true, force: true }));
  return site;
}

/** Two branches that conflict, a tag, a stash and a remote. */
function makePattern(): string {
  const { folder, git } = scratch();
  const site = siteAt(folder, git);
  mkdirSync(site.home);
  mkdirSync(site.repository);
  site.git('init', '--quiet');
  site.write('file.txt', 'one\ntwo\nthree\n');
  site.write('other.txt', 'other\n');
  site.git('add', '.');
  site.git('commit', '--quiet', '-m', 'first');
  site.git('switch', '--quiet', '-c', 'side');
  site.write('file.txt', 'one\nside\nthree\n');
  site.git('commit', '--quiet', '-am', 'side');
  site.git('switch', '--quiet', 'main');
  site.write('file.txt', 'one\nmain\nthree\n');
  site.git('commit', '--quiet', '-am', 'second');
  site.git('tag', '-a', 'v1', '-m', 'v1');
  site.git('clone', '--quiet', '--bare', '.', '../remote.git');
  site.git('remote', 'add', 'origin', '../remote.git');
  site.git('fetch', '--quiet', 'origin');
  site.git('branch', '--quiet', '--set-upstream-to=origin/main');
  site.write('file.txt', 'one\nstash\nthree\n');
  site.git('stash', 'push', '--quiet');
  return folder;
}

function siteAt(folder: string, git: Scratch['git']): Site {
  const repository = join(folder, 'repository');
  const marker = join(folder, 'fired');
  const home = join(folder, 'home');
  const payload = join(folder, 'payload');
  writeFileSync(payload, `#!/bin/sh\n: > '${marker}'\nexit 0\n`);
  chmodSync(payload, 0o755);
  const site: Site = {
    folder,
    repository,
    payload,
    copier: `'${payload}'; cat`,
    marker,
    home,
    git: (...args) => git(repository, ...args).toString(),
    set: (key, value) => void git(repository, 'config', '--add', key, value),
    write: (path, content, mode = 0o644) => {
      const file = join(repository, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode });
      return file;
    },
    fired: () => {
      const there = existsSync(marker);
      rmSync(marker, { force: true });
      return there;
    },
    plain: (firing, configuration = [], environment = {}) => {
      const { args, input = '', within = '.' } = 'args' in firing ? firing : { args: firing };
      const ended = spawnSync('git', args, {
        cwd: join(repository, within),
        env: { ...plainEnvironment(home, configuration), ...environment },
        input,
        timeout: 120_000,
      });
      return ended.stdout.toString() + ended.stderr.toString();
    },
    reset: () => {
      rmSync(folder, { recursive: true });
      cpSync(`${folder}-kept`, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    },
  };
  return site;
}

function plainEnvironment(home: string, configuration: readonly (readonly [string, string])[]) {
  const { GIT_EDITOR: _, ...environment } = cleanEnvironment();
  const all = [['protocol.file.allow', 'always'] as const, ...configuration];
  Object.assign(environment, {
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_COUNT: `${all.length}`,
  });
  for (const [index, [key, value]] of all.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}
