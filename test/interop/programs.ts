import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; a non-zero exit code is a result, not an error. */
export function run(
  file: string,
  args: readonly string[],
  place: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...place, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else reject(error);
    });
  });
}

const require = createRequire(import.meta.url);

/** The launcher of inspector 0.22.0, which must not run in a folder beside a package.json. */
export function handshakeInspector(): string {
  return join(folderOf('inspector-handshake'), 'cli', 'build', 'cli.js');
}

/** The launcher of inspector 2.12.0. */
export function statelessInspector(): string {
  return join(folderOf('inspector-stateless'), 'clients', 'launcher', 'build', 'index.js');
}

function folderOf(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}

const newer = '22.23.3';

/** Returns a Node that runs inspector 2.12.0: this one, or one from npm; undefined if npm has none. */
export async function newerNode(): Promise<string | undefined> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const where = 'node -p process.execPath';
  const node = `node-${platform}-${process.arch}@${newer}`;
  try {
    const { code, stdout } = await run('npx', ['--yes', '--prefer-offline', '-p', node, '-c', where]);
    return code === 0 ? stdout.trim() : undefined;
  } catch {
    return undefined; // tests that need npx are skipped
  }
}
