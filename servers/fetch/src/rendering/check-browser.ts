import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { browserEnvironment } from './browser-environment.ts';

/** The reason why a browser cannot be used, and the fix. */
export interface BrowserProblem {
  readonly problem: string;
  readonly fix: string;
}

const ANSWER_MS = 10_000;
const driver = 'playwright-core';

/** Returns the problem of a browser's path that its file shows, without starting it. */
export async function findPathProblem(path: string): Promise<BrowserProblem | undefined> {
  const fix = 'name the executable of a Chromium, such as /usr/bin/chromium';
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return { problem: `there is no browser at ${path}`, fix };
  if (!found.isFile()) return { problem: `${path} is not a file`, fix };
  const runs = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return runs ? undefined : { problem: `${path} is not executable for this user`, fix };
}

/** Returns the version of the browser at a path, or why it cannot render pages; runs the program. */
export async function checkBrowser(path: string): Promise<{ version: string } | BrowserProblem> {
  const problem = await findPathProblem(path);
  if (problem !== undefined) return problem;
  if (!isDriverThere()) return driverMissing;
  const output = await askVersion(path);
  if (/\bchrom(?:e|ium)\b/i.test(output)) return { version: output };
  return {
    problem: `${path} is not a Chromium`,
    fix: 'name a Chromium or Chrome; check it with --version',
  };
}

/** The browser driver is an optional dependency, which may be missing. */
export const driverMissing: BrowserProblem = {
  problem: `the package ${driver} is not installed`,
  fix: `install it beside this server: npm install ${driver}@1.65.1`,
};

function isDriverThere(): boolean {
  try {
    createRequire(import.meta.url).resolve(driver);
    return true;
  } catch {
    return false;
  }
}

/** Returns the last line of the program's output for its version; empty if it fails. */
function askVersion(path: string): Promise<string> {
  const options = {
    timeout: ANSWER_MS,
    killSignal: 'SIGKILL',
    env: browserEnvironment(process.env),
  } as const;
  return new Promise((resolve) => {
    execFile(path, ['--version'], options, (error, stdout) => {
      resolve(error === null ? (stdout.trim().split('\n').at(-1)?.trim() ?? '') : '');
    });
  });
}
