import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { buildFolder } from '../bundle.ts';
import { bundleServer } from '../downloading/program.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program of this server, bundled for the tests of one file. */
export class Program {
  #file = '';

  constructor() {
    let folder = '';
    beforeAll(async () => {
      folder = buildFolder('start');
      this.#file = await bundleServer(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
  }

  /** Runs it to its end without input, in an environment with only these proxies. */
  async run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [this.#file, ...args], { env: { PATH, HOME, ...environment } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {
      // a program that has refused its options reads nothing
    });
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
  }
}
