import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { command } from './command.ts';
import { baseEnvironment, byHandEnvironment, searchFolders } from './environment.ts';
import { run } from './run.ts';
import { readVersion, type Version } from './version.ts';
import type { Executable } from './work.ts';

/** The git of this machine. */
export interface Git extends Executable {
  /** requested once */
  version(): Promise<Version>;
}

export interface FindOptions {
  /** the operator's, default that of this process */
  readonly environment?: NodeJS.ProcessEnv;
  /** whether programs may come from a folder of PATH; `npx` puts folders of the project before it */
  readonly trusts?: (folder: string) => boolean;
}

/** Finds the first git on PATH. */
export function findGit({ environment = process.env, trusts = () => true }: FindOptions = {}): Git {
  const folders = searchFolders(environment, trusts);
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const there = (folder: string): boolean => isExecutable(join(folder, name));
  // a link in a permitted folder may lead into another
  const home = folders.find((folder) => there(folder) && trusts(dirname(realpathSync(join(folder, name)))));
  if (home === undefined) throw noGit(searchFolders(environment, there).length > 0);
  const path = join(home, name);
  let version: Promise<Version> | undefined;
  const git: Git = {
    path,
    environment: baseEnvironment(environment, folders.join(delimiter)),
    byHand: byHandEnvironment(environment),
    version: () => {
      version ??= run(git, command('version'), {}).then(({ stdout }) => readVersion(stdout.toString()));
      return version;
    },
  };
  return git;
}

function noGit(refused: boolean): ToolError {
  return refused
    ? new ToolError('no git on PATH is outside the roots, whose files run nowhere', {
        code: 'no-git',
        hint: 'name a folder on PATH that has git 2.39 or newer and is in no root',
      })
    : new ToolError('there is no git on PATH', { code: 'no-git', hint: 'install git 2.39 or newer' });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // missing, or not executable for this user
    return false;
  }
}
