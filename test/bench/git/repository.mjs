import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const COMMITS = 1600;
export const FILES = 1100;
const BRANCHES = 160;
const PER_FOLDER = 20;
const START = 1_700_000_000;

/** The environment of every git of the benchmark. */
export const gitEnv = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_AUTHOR_NAME: 'Ann Example',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann Example',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

/**
 * Creates a packed repository of 1,600 commits, 1,100 files and 160 branches, with ten staged and ten unstaged changes.
 * @param {string} folder
 */
export function makeRepository(folder) {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, env: gitEnv, input: history() });
  git(folder, 'reset', '-q', '--hard');
  for (let i = 0; i < BRANCHES; i += 1) git(folder, 'branch', `topic/${i}`, `HEAD~${i * 5}`);
  git(folder, 'pack-refs', '--all');
  git(folder, 'repack', '-q', '-a', '-d');
  // git trusts an index if no file is as recent as it is
  for (let i = 0; i < 20; i += 1) writeFileSync(join(folder, nameOf(i)), `${text(i, 1)}changed\n`);
  git(folder, 'add', ...Array.from({ length: 10 }, (_, i) => nameOf(i)));
  return folder;
}

/** @param {number} i */
export function nameOf(i) {
  return `folder-${Math.floor(i / PER_FOLDER)}/file-${i}.txt`;
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
export function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, env: gitEnv }).toString();
}

/** Yields the commits for `git fast-import`: the first has all files, each other one changes three. */
function history() {
  const parts = [];
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const who = `Ann Example <ann@example.org> ${START + commit * 60} +0000`;
    const message = `Change number ${commit}\n\nWhat it does, and why it is done in this way.\n`;
    parts.push(`commit refs/heads/main\ncommitter ${who}\ndata ${message.length}\n${message}`);
    const files =
      commit === 0
        ? Array.from({ length: FILES }, (_, i) => i)
        : [0, 1, 2].map((i) => (commit * 7 + i * 131) % FILES);
    for (const file of files) {
      const content = text(file, commit);
      parts.push(`M 100644 inline ${nameOf(file)}\ndata ${content.length}\n${content}`);
    }
    parts.push('\n');
  }
  return parts.join('');
}

/**
 * @param {number} file
 * @param {number} version
 */
function text(file, version) {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i} of file ${file}, ${'word '.repeat(i % 9)}`);
  lines[version % 60] = `line that version ${version} changed`;
  return `${lines.join('\n')}\n`;
}
