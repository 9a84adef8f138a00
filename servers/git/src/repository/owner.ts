import { homedir } from 'node:os';
import { showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Git } from '../run/git.ts';
import { type OperatorSetting, operatorConfigOf } from './operator-config.ts';
import type { Repository } from './repository.ts';
import { realOf } from './witness.ts';

/** The user of this process, and the user who started it through root. */
export interface User {
  readonly uid: number | undefined;
  readonly sudo: string | undefined;
}

/** This process; where the system has no user numbers, it owns everything. */
function thisUser(): User {
  return { uid: process.geteuid?.(), sudo: process.env.SUDO_UID };
}

/**
 * Returns whether git takes a user's file for another's own: root's are its own, and those of the user for whom it
 * works.
 */
export function isOwn(owner: number, { uid, sudo }: User): boolean {
  if (uid === undefined || owner === uid) return true;
  return uid === 0 && sudo !== undefined && /^\d+$/.test(sudo) && owner === Number(sudo);
}

/**
 * Returns whether the folders by which git judges a repository are this user's; `all` checks the shared ones of linked
 * work trees, too.
 */
export function isOwnRepository({ owners: { judged, common } }: Repository, all = false): boolean {
  const user = thisUser();
  return judged.every((owner) => isOwn(owner, user)) && (!all || isOwn(common, user));
}

/**
 * Throws for a repository of another user, unless the operator's configuration names it in `safe.directory`: git does
 * the same where it finds a repository itself, and not where it is given its git dir.
 */
export async function assertOwn(git: Git, repository: Repository, signal?: AbortSignal): Promise<void> {
  const { settings } = await operatorConfigOf(git, repository, signal);
  const { workTree, gitDir } = repository.place;
  const displayPath = workTree ?? gitDir;
  if (isSafe(settings, Buffer.from(displayPath).toString('latin1'), homeOf(git))) return;
  throw new ToolError(`the repository ${showPath(displayPath)} belongs to another user`, {
    code: 'dubious-ownership',
    hint: `the operator can name it: git config --global --add safe.directory ${showPath(displayPath)}`,
  });
}

/**
 * Returns whether `safe.directory` permits a path, as git reads it: an empty value clears those before it. Paths are
 * byte strings.
 */
function isSafe(settings: readonly OperatorSetting[], path: string, home: string): boolean {
  let safe = false;
  for (const { key, value, foreign } of settings) {
    if (key !== 'safe.directory' || foreign) continue;
    if (value === undefined || value === '') safe = false;
    else safe ||= value === '*' || names(value.startsWith('~/') ? home + value.slice(1) : value, path);
  }
  return safe;
}

/** Returns whether a value names a path, or by a star at its end all below a folder. */
function names(value: string, path: string): boolean {
  if (value.endsWith('/*')) return path.startsWith(`${realOf(value.slice(0, -2))}/`);
  return realOf(value) === path;
}

function homeOf({ environment }: Git): string {
  return Buffer.from(environment.HOME ?? homedir()).toString('latin1');
}
