import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import { create } from '../src/create.ts';

/** The top of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..');

/** The output of a run and its exit code. */
export interface Output {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** A folder of each test, in which the creator runs. */
export class Place {
  folder = '';

  constructor() {
    beforeEach(() => {
      this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-create-')));
    });
    afterEach(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  read(...names: string[]): string {
    return readFileSync(this.at(...names), 'utf8');
  }

  json(...names: string[]): unknown {
    return JSON.parse(this.read(...names));
  }

  entries(...names: string[]): string[] {
    return readdirSync(this.at(...names)).sort();
  }

  /** Runs it without a terminal, and without npm and git unless told otherwise. */
  run(...argv: string[]): Promise<Output> {
    return this.#create(['--no-install', '--no-git', ...argv], new PassThrough(), false);
  }

  /** Runs it on a terminal, where each answer is given when its question is put; without one more the input ends. */
  answer(answers: readonly string[], ...argv: string[]): Promise<Output> {
    const input = new PassThrough();
    const left = [...answers];
    return this.#create(argv, input, true, (text) => {
      if (!text.endsWith(': ')) return;
      const next = left.shift();
      if (next === undefined) input.end();
      else input.write(`${next}\n`);
    });
  }

  async #create(
    argv: readonly string[],
    input: PassThrough,
    terminal: boolean,
    onOutput: (text: string) => void = () => {},
  ): Promise<Output> {
    const written = { output: '', errors: '' };
    const output = new PassThrough().on('data', (bytes: Buffer) => {
      written.output += String(bytes);
      onOutput(String(bytes));
    });
    const errors = new PassThrough().on('data', (bytes: Buffer) => {
      written.errors += String(bytes);
    });
    const signal = new AbortController().signal;
    const code = await create(argv, { cwd: this.folder, input, output, errors, terminal, signal });
    return { code, ...written };
  }
}
