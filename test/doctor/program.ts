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
  /** a line each, without the last line end */
  readonly lines: readonly string[];
}

export interface Surroundings {
  /** what goes before the program to run it under other conditions */
  readonly under?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** the built server; that of the checkout unless given */
  readonly file?: string;
}

/** A folder for each test, and the built servers, asked what they find. */
export class Patients {
  folder = '';

  constructor() {
    beforeEach(() => {
      this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-doctor-test-')));
    });
    afterEach(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** What `--doctor` of a server tells. */
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

  /** A build of a server where nothing else is found, without some of its files. */
  copyWithout(server: string, ...left: readonly string[]): string {
    const to = join(this.folder, 'copy');
    const from = join(servers, server, 'dist');
    cpSync(from, to, { recursive: true, filter: (path) => !left.some((name) => path === join(from, name)) });
    return join(to, 'cli.js');
  }
}

/** Those of the lines that say it is not well. */
export function complaints({ lines }: Report): readonly string[] {
  return lines.filter((line) => !line.startsWith('ok'));
}
