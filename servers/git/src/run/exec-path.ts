import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnFolder, removeOwnFolder } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/**
 * Returns the script in the place of git. A git that a confined git starts has the common directory in its environment,
 * unless it is to work in another repository, as `git status` is in each submodule: git removes the variable then. Such
 * a git does not start.
 */
const gate = (program: string): string =>
  `#!/bin/sh\nif [ -z "$GIT_COMMON_DIR" ]; then\n  echo "fatal: not in another repository" >&2\n  exit 128\nfi\nexec '${program.replaceAll("'", "'\\''")}' "$@"\n`;

interface Program {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** By the program of git. */
const made = new Map<string, string>();

/**
 * Returns the folder in which a confined git looks for the programs that it starts: git's own, except git itself, which
 * starts only in the repository of the run. Undefined where the system runs no scripts.
 */
export function confinedExecPath({ path: program, environment: env }: Program): string | undefined {
  if (process.platform === 'win32') return undefined;
  const known = made.get(program);
  if (known !== undefined && isRunnable(join(known, 'git'))) return known;
  const own = execFileSync(program, ['--exec-path'], { env, encoding: 'utf8' }).trimEnd();
  for (const parent of [tmpdir(), join(homedir(), '.cache')]) {
    const folder = tryMake(parent, program, own);
    if (folder === undefined) continue;
    made.set(program, folder);
    process.once('exit', () => removeOwnFolder(folder));
    return folder;
  }
  throw new ToolError('no folder for temporary files lets programs be run', {
    code: 'unsupported',
    hint: 'set TMPDIR to one that does, or trust the repository',
  });
}

function tryMake(parent: string, program: string, own: string): string | undefined {
  try {
    const folder = makeOwnFolder('rootbound-git', parent);
    for (const name of readdirSync(own)) if (name !== 'git') symlinkSync(join(own, name), join(folder, name));
    const itself = join(own, 'git');
    writeFileSync(join(folder, 'git'), gate(existsSync(itself) ? itself : program));
    chmodSync(join(folder, 'git'), 0o700);
    return isRunnable(join(folder, 'git')) ? folder : undefined;
  } catch {
    // missing, or not writable: the next one may be
    return undefined;
  }
}

/** Returns whether the file system runs programs: one that is mounted `noexec` does not. */
function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // deleted, or on such a file system
    return false;
  }
}
