import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..');
const built = join('servers', 'filesystem', 'dist');

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A copy of the files of the tour in a folder with spaces, and an empty folder for its temporary files. */
export class Checkout {
  readonly #base: string;
  readonly path: string;
  readonly temporary: string;

  constructor() {
    if (!existsSync(join(repository, built, 'cli.js')))
      throw new Error('the tour needs the build: npm test builds');
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-tour-test-')));
    this.path = join(this.#base, 'a checkout');
    this.temporary = join(this.#base, 'temporary');
    mkdirSync(this.temporary);
    for (const part of ['package.json', 'scripts', built]) {
      cpSync(join(repository, part), join(this.path, part), { recursive: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(this.path, 'node_modules'), 'junction');
    writeFileSync(join(this.path, 'README.md'), '# A heading\n\nA sentence.\n\nNot shown.\n');
  }

  /** Lists every file of the copy without following links. */
  files(): string[] {
    return filesBelow(this.path).sort();
  }

  /** Runs the tour until it and all processes with its output have exited. */
  tour({ flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {}): Promise<Run> {
    const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env;
    const places = { TMPDIR: this.temporary, TEMP: this.temporary, TMP: this.temporary };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'runner.mjs'), this.path, ...flags], {
      env: { ...inherited, TERM: 'xterm', ...places, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run: Run = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ ...run, code }));
    });
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...filesBelow(path)] : [path];
  });
}
