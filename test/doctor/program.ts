import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

const servers = fileURLToPath(new URL('../../servers/', import.meta.url));

export interface Report {
  readonly code: number | null;
  /** the lines of the output */
  readonly lines: readonly string[];
}

export interface Surroundings {
  /** a command that runs the program under other conditions */
  readonly under?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** the built server; default: that of the checkout */
  readonly file?: string;
}

/** A folder for each test, in which `--doctor` of the built servers is run. */
export class Patients {
  folder = '';

  constructor() {
    beforeEach(() => {
      this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-doctor-test-')));
    });
    afterEach(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Runs `--doctor` of a server and returns its output. */
  async examine(server: string, args: readonly string[], surroundings: Surroundings = {}): Promise<Report> {
    const { under = [], environment = {}, file = join(servers, server, 'dist', 'cli.js') } = surroundings;
    const [program = '', ...rest] = [...under, process.execPath, file, '--doctor', ...args];
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(program, rest, {
      env: { PATH, HOME, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    if (err.length > 0) throw new Error(Buffer.concat(err).toString());
    return { code, lines: Buffer.concat(out).toString().trimEnd().split('\n') };
  }

  /** Copies a build of a server without some of its files to a folder without packages. */
  copyWithout(server: string, ...left: readonly string[]): string {
    const to = join(this.folder, 'copy');
    const from = join(servers, server, 'dist');
    cpSync(from, to, { recursive: true, filter: (path) => !left.some((name) => path === join(from, name)) });
    return join(to, 'cli.js');
  }
}

/** Returns the lines of warnings and failures. */
export function complaints({ lines }: Report): readonly string[] {
  return lines.filter((line) => !line.startsWith('ok'));
}
