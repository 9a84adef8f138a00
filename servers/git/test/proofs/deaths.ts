import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';
import { type FakePath, fakePath } from './recorded.ts';

/** The writes that a server is asked for. */
export interface Deed {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export const deeds: Readonly<Record<string, Deed>> = {
  add: { tool: 'git_add', args: { files: ['.'] } },
  commit: { tool: 'git_commit', args: { message: 'x', all: true } },
  'commit of paths': { tool: 'git_commit', args: { message: 'x', paths: ['a'] } },
  checkout: { tool: 'git_checkout', args: { branch_name: 'side', discard_changes: true, confirm: true } },
  merge: { tool: 'git_merge', args: { revisions: ['apart'] } },
  rebase: { tool: 'git_rebase', args: { upstream: 'apart', autostash: true } },
  stash: { tool: 'git_stash', args: { action: 'push', include_untracked: true } },
  fetch: { tool: 'git_fetch', args: { remote: 'origin' } },
  'branch creation': { tool: 'git_create_branch', args: { branch_name: 'new' } },
};

/**
 * How a server dies at the start of one of its gits: before that runs; while that goes on to its end; with it when it
 * writes a larger file; or with it and all that it started while it holds the locks of references.
 */
export const ways = ['before', 'alone', 'writing', 'holding'] as const;
export type Way = (typeof ways)[number];

/** A repository with changes of each kind and the remote that it fetches from; enough files for an index of some kilobytes. */
export function makeWork({ folder, git, write }: Scratch): void {
  const work = join(folder, 'work');
  for (let file = 0; file < 40; file++) write(`work/files/${file}`, `${file}\n`);
  write('work/a', 'one\n');
  git(work, 'init', '-q');
  git(work, 'config', 'user.name', 'Ann Example');
  git(work, 'config', 'user.email', 'ann@example.org');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'first');
  for (const branch of ['side', 'apart']) {
    git(work, 'switch', '-qc', branch, 'main');
    write(`work/${branch}`, `${branch}\n`.repeat(200));
    git(work, 'add', '.');
    git(work, 'commit', '-qm', branch);
  }
  git(work, 'clone', '-q', '--bare', '.', join(folder, 'origin.git'));
  git(work, 'switch', '-q', 'main');
  git(work, 'branch', '-qD', 'side');
  git(work, 'branch', 'side', 'main');
  for (const name of ['b', 'c']) {
    write(`work/${name}`, `${name}\n`);
    git(work, 'add', '.');
    git(work, 'commit', '-qm', name);
  }
  git(work, 'remote', 'add', 'origin', `file://${join(folder, 'origin.git')}`);
  write('work/a', 'changed\n'.repeat(300));
  write('work/untracked', 'new\n'.repeat(300));
}

/** Where the shell that dies with its git says who it is. */
export const dyingFile = 'dying';
/** One line for each git that was started. */
export const startsFile = 'starts';

/** A git that counts its starts, and at one of them ends with its server; at 0 it only counts. */
export function dyingGit(folder: string, at: number, way: Way): FakePath {
  mkdirSync(join(folder, 'hooks'));
  const hook = join(folder, 'hooks', 'reference-transaction');
  writeFileSync(hook, `#!/bin/sh\n[ "$1" = prepared ] || exit 0\n${endAll}\n`, { mode: 0o755 });
  return fakePath(
    folder,
    `echo "$1" >> '${folder}/${startsFile}'
[ "$(wc -l < '${folder}/${startsFile}')" = ${at} ] || exec "$git" "$@"
echo $$ > '${folder}/${dyingFile}'
export SERVER=$PPID SHELL_OF_GIT=$$
${run[way].replace('HOOKS', join(folder, 'hooks'))}`,
  );
}

const run: Readonly<Record<Way, string>> = {
  before: 'kill -9 $SERVER',
  alone: 'kill -9 $SERVER; exec "$git" "$@"',
  // git dies of the second block of a file, and leaves what it was about to rename
  writing: '(ulimit -c 0; ulimit -f 1; exec "$git" "$@"); kill -9 $SERVER',
  holding: '"$git" -c core.hooksPath=\'HOOKS\' "$@"; kill -9 $SERVER',
};

/** For a hook: ends the server and what stands between the shell that started git and itself, from the top, so that nobody cleans up. */
const endAll = `kill -9 "$SERVER"
all=''
pid=$PPID
while [ "$pid" != "$SHELL_OF_GIT" ] && [ "$pid" -gt 1 ]; do
  all="$pid $all"
  read -r _ _ _ pid _ < "/proc/$pid/stat"
done
kill -9 $all`;
