import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from './server-process.ts';

const built = (server: string): string =>
  join(import.meta.dirname, '..', '..', 'servers', server, 'dist', 'cli.js');

/** The built filesystem server in client configurations. */
export const cli = built('filesystem');
/** The built git server. */
export const gitCli = built('git');
/** The built SQLite server. */
export const sqliteCli = built('sqlite');
/** The built fetch server. */
export const fetchCli = built('fetch');

const all = [cli, gitCli, sqliteCli, fetchCli];

const overhearing = new AsyncLocalStorage<Servers>();

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }; // the message of this diagnostics channel
  const servers = overhearing.getStore();
  // its streams and arguments exist once it runs
  child.once('spawn', () => {
    if (all.some((file) => child.spawnargs.includes(file))) servers?.add(child);
  });
});

/** The server processes of one test. */
export class Servers {
  readonly #all: ServerProcess[] = [];

  constructor() {
    if (!all.every((file) => existsSync(file))) {
      throw new Error('the servers are not built: npm test builds them');
    }
  }

  /** The processes in the order in which they were started. */
  get all(): readonly ServerProcess[] {
    return this.#all;
  }

  get last(): ServerProcess {
    const last = this.#all.at(-1);
    if (last === undefined) throw new Error('no server was started');
    return last;
  }

  /** Adds a running server. */
  add(child: ChildProcess): ServerProcess {
    const server = new ServerProcess(child);
    this.#all.push(server);
    return server;
  }

  /** Adds every server that is started during `work`, whichever library starts it. */
  overhear<T>(work: () => Promise<T>): Promise<T> {
    return overhearing.run(this, work);
  }

  /** Terminates the remaining servers and returns all faults. */
  async end(): Promise<string[]> {
    await Promise.all(this.#all.map((server) => server.kill('SIGKILL')));
    return this.#all.flatMap((server) => server.faults);
  }
}
