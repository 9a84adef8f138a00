import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, document } from '../docs/documents.ts';

/** Code that makes a program listen on a free port and report it. */
const REPORTER = `import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (first, ...rest) {
  const free = typeof first === 'object' ? { ...first, port: 0 } : 0;
  this.once('listening', () => process.send(this.address().port));
  return listen.call(this, free, ...rest);
};
process.once('disconnect', () => process.exit());
`;

/** Code that hosts a route handler of Next.js, which receives web-standard requests. */
const HOST = `import { serve } from '@hono/node-server';
import * as route from './route.js';
const none = () => new Response(null, { status: 405 });
serve({ fetch: (request) => (route[request.method] ?? none)(request), port: 3000, hostname: '127.0.0.1' });
`;

/** A text of the page, and its replacement in one run. */
export type Change = readonly [written: string, instead: string];

/** A recipe of docs/build.md that runs in its own process with the built package. */
export class Recipe {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #port: Promise<number>;

  /** Starts a program of the page. */
  constructor(name: string, changes: readonly Change[]) {
    this.#folder = mkdtempSync(join(tmpdir(), 'rootbound-recipe-'));
    const write = (file: string, text: string): void => writeFileSync(join(this.#folder, file), text);
    for (const [file, text] of programs(changes)) write(file, text);
    write('package.json', '{"type":"module"}');
    write('reporter.js', REPORTER);
    write('host.js', HOST);
    // the frameworks are resolved from this folder
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(this.#folder, 'node_modules'), 'junction');
    const program = name === 'route.js' ? 'host.js' : name;
    this.#child = spawn(process.execPath, ['--import', './reporter.js', program], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    this.#port = new Promise((resolve, reject) => {
      this.#child.once('message', (port) => resolve(Number(port)));
      this.#child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${errors}`)));
    });
    this.#port.catch(() => {
      // the rejection reaches the test that awaits the address
    });
  }

  /** Resolves with the endpoint once it listens. */
  async url(): Promise<URL> {
    return new URL(`http://127.0.0.1:${await this.#port}/mcp`);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode === null && this.#child.kill('SIGKILL')) await gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the programs of the page with changes, by name: a file in a folder belongs to another example. */
function programs(changes: readonly Change[]): [string, string][] {
  let { text } = document('docs/build.md');
  for (const [written, instead] of changes) {
    if (!text.includes(written)) throw new Error(`docs/build.md has no ${JSON.stringify(written)}`);
    text = text.replace(written, () => instead);
  }
  return blocksOf({ text }).flatMap(({ info, text: code }): [string, string][] => {
    const name = /^file=([^\s/]+)$/.exec(info)?.[1];
    return name === undefined ? [] : [[name, code]];
  });
}
