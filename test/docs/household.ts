import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { linkDriver, makeShop } from '../package/packages.ts';
import { root } from './documents.ts';

/** The output and exit status of a command. */
export interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Started = ChildProcessByStdio<Writable, Readable, Readable>;

const HOME = '/home/you';
/** The folders that commands of the documents name. */
const FOLDERS = ['project', 'notes', 'code', 'data', 'downloads', 'some-folder', 'bin', 'built'];

/** The home directory of a reader: a checkout that is installed and built, and folders to serve. */
export class Household {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-readme-')));
  readonly checkout = join(this.home, 'rootbound');
  readonly #registry: string;

  /** `registry` is where npm gets packages. */
  constructor(registry: string) {
    this.#registry = registry;
    for (const folder of FOLDERS) mkdirSync(join(this.home, folder));
    for (const folder of ['project', 'code'])
      execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: join(this.home, folder) });
    makeShop(join(this.home, 'data', 'shop.db'));
    linkDriver(this.home);
    copyCheckout(this.checkout);
    // stands for the client: prints its arguments
    this.#program('bin', 'claude', 'for word in "$@"; do printf "%s\\n" "$word"; done');
    // the checkout is installed and built already; packing runs in the real one
    const npx = execFileSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).trim();
    this.#program('built', 'npx', `case " $* " in *" pack "*) cd '${root}' && exec '${npx}' "$@";; esac`);
  }

  /** Starts a command line in a shell, in the checkout unless another folder is given. */
  start(line: string, folder = this.checkout): Started {
    const { NODE_PATH: _path, NODE_OPTIONS: _options, VITEST: _vitest, ...inherited } = process.env;
    const programs = /^npm (start|run)\b/.test(line) ? ['built', 'bin'] : ['bin'];
    const env = {
      ...inherited,
      HOME: this.home,
      USERPROFILE: this.home,
      PATH: [...programs.map((name) => join(this.home, name)), process.env.PATH].join(delimiter),
      // an installation by npx without a driver finds the one of the workspace
      NODE_PATH: join(this.home, 'node_modules'),
      npm_config_registry: this.#registry,
      npm_config_cache: join(this.home, '.npm'),
      npm_config_update_notifier: 'false',
      // on a terminal npx asks before it installs; without one it fails
      ...(/ -y /.test(line) ? {} : { npm_config_yes: 'true' }),
    };
    return spawn('sh', ['-c', this.here(line)], { cwd: folder, env, stdio: 'pipe' });
  }

  /** Runs a command line to its end. */
  async run(line: string, folder?: string): Promise<Ending> {
    const child = this.start(line, folder);
    child.stdin.end();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await ended, stdout: this.there(stdout), stderr: this.there(stderr) };
  }

  /** Replaces the home directory of a document by the real one. */
  here(text: string): string {
    return text.replaceAll(HOME, this.home);
  }

  /** Replaces the real home directory by that of a document. */
  there(output: string): string {
    return output.replaceAll(this.home, HOME);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }

  #program(folder: string, name: string, script: string): void {
    const file = join(this.home, folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}

/** Copies the workspaces, with links to their installed packages. */
function copyCheckout(to: string): void {
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  mkdirSync(to);
  for (const { name } of files) copyFileSync(join(root, name), join(to, name));
  const left = new Set(['node_modules', '.turbo', 'fixtures']);
  for (const folder of ['scripts', 'packages', 'servers', 'test', '.github']) {
    cpSync(join(root, folder), join(to, folder), {
      recursive: true,
      filter: (from) => !left.has(basename(from)),
    });
  }
  const workspaces = ['packages', 'servers'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  for (const folder of ['.', ...workspaces])
    symlinkSync(join(root, folder, 'node_modules'), join(to, folder, 'node_modules'), 'junction');
}
