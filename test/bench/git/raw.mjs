import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultOf } from '../lib/session.mjs';
import { ours } from './peers.mjs';
import { gitEnv } from './repository.mjs';

/** The git commands that the git server runs for each call. */
export const raw = {
  status: words(
    'status --porcelain=v2 -z --branch --show-stash --ahead-behind --find-renames --untracked-files=normal --ignored=no --',
  ),
  diff: words(`
    diff --no-ext-diff --no-textconv --no-color --submodule=short --no-relative --src-prefix=a/ --dst-prefix=b/
    --find-renames --ignore-submodules=dirty --patch --full-index --indent-heuristic --diff-algorithm=myers
    --raw --no-abbrev -0 --unified=3 --inter-hunk-context=0 --`),
  branches: words(`
    for-each-ref
    --format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)%00%(symref)%00%(HEAD)%00
    --sort=refname refs/heads`),
  commit: ['log', '-1', '--no-show-signature', '-z', '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%B'],
  log: ['log', '-20', '--no-show-signature', '-z', '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%B'],
  /** @type {(file: string) => string[]} */
  file: (file) => ['cat-file', 'blob', `HEAD~3:${file}`],
};

/**
 * Returns the environment in which our server starts git, recorded by a program before git on PATH. It refers to a folder
 * of that server, which is deleted when the server closes.
 * @param {string} repository
 * @param {string} folder
 * @returns {Promise<{ environment: Record<string, string>, close: () => Promise<unknown> }>}
 */
export async function environmentOfOurs(repository, folder) {
  mkdirSync(folder, { recursive: true });
  const record = join(folder, 'environment');
  const rest = `PATH="${gitEnv.PATH}" exec git "$@"`;
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv -0 > '${record}'\n${rest}\n`, { mode: 0o755 });
  const session = ours().launch(repository, { ...gitEnv, PATH: `${folder}:${gitEnv.PATH}` });
  try {
    await session.initialize();
    resultOf(await session.callTool(['git_status', { repo_path: repository }]));
  } catch (error) {
    await session.close();
    throw error;
  }
  const lines = readFileSync(record, 'utf8').split('\0').filter(Boolean);
  const found = Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
  return { environment: { ...found, PATH: gitEnv.PATH }, close: () => session.close() };
}

/**
 * Returns the milliseconds from the start of git until it has exited and its output was read.
 * @param {string} repository
 * @param {readonly string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>}
 */
export function timeGit(repository, args, env) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn('git', args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let size = 0;
    child.stdout.on('data', (chunk) => {
      size += chunk.length;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && size > 0) resolve(performance.now() - began);
      else reject(new Error(`git ${args[0]} ended with ${code} and ${size} bytes`));
    });
  });
}

/** @param {string} line arguments between white space */
function words(line) {
  return line.trim().split(/\s+/);
}
