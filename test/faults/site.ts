import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram, type Program } from './bundle.ts';
import type { Announcement, Limits, Order, Place } from './orders.ts';

/** A running server and its order connection. */
interface Live extends Announcement {
  control: Socket;
  answers: { resolve(answer: unknown): void; reject(error: Error): void }[];
}

/** Ports below the ephemeral range, which stay free while a server is down. */
const [LEAST_PORT, MOST_PORTS] = [20_000, 10_000];

/** Returns a port for the site. */
async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST_PORT, LEAST_PORT + MOST_PORTS);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

/** Creates a site; closing it removes its program as well. */
export async function openSite(limits?: Limits): Promise<Site> {
  const site = new Site(await bundleProgram(), await findPort(), limits);
  await site.open();
  return site;
}

/** A site on which servers are started and killed, one at a time; its ledger persists. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'rootbound-site-'));
  readonly #program: Program;
  readonly #limits: Limits;
  readonly #control: Server;
  readonly #versions = new Map<string, number>();
  /** the port of all servers of this site */
  readonly port: number;
  #live: Live | undefined;
  /** number of servers so far */
  starts = 0;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(program: Program, port: number, limits: Limits = {}) {
    this.#program = program;
    this.port = port;
    this.#limits = limits;
    this.#control = createServer((control) => this.#meet(control));
    writeFileSync(join(this.folder, 'ledger'), '');
  }

  get socket(): string {
    return join(this.folder, 'server');
  }

  /** Whether the site is closed. */
  get isClosed(): boolean {
    return this.#closed;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#control.listen(this.#controlPath, resolve));
  }

  /** The command that runs a server on its standard streams. */
  get command(): { command: string; args: string[] } {
    const place: Place = { folder: this.folder, control: this.#controlPath };
    return { command: process.execPath, args: [this.#program.path, JSON.stringify(place)] };
  }

  /** Starts a server on the site's socket and port, and waits until it serves. */
  async start(): Promise<void> {
    const { folder, socket, port } = this;
    const control = this.#controlPath;
    const place: Place = { folder, control, socket, port, limits: this.#limits };
    const args = ['--expose-gc', this.#program.path, JSON.stringify(place)];
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const died = new Promise<never>((_resolve, reject) => {
      child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}`)));
    });
    await Promise.race([this.up(), died]);
    died.catch(() => {
      // from here on tests terminate it
    });
  }

  /** Resolves when a server serves. */
  async up(): Promise<void> {
    while (this.#live === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Kills the server, and waits for its exit. */
  async kill(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    const gone = new Promise<void>((resolve) => live.control.once('close', () => resolve()));
    try {
      process.kill(live.pid, 'SIGKILL');
    } catch (error) {
      // it has exited by itself, and its exit event follows
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await gone;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Sends an order and returns its answer. */
  async tell(order: Order): Promise<unknown> {
    const live = this.#live;
    if (live === undefined) throw new Error('there is no server to give orders to');
    return new Promise((resolve, reject) => {
      live.answers.push({ resolve, reject });
      live.control.write(`${JSON.stringify(order)}\n`);
    });
  }

  /** Resolves when this number of calls is held open. */
  async holds(wanted: number): Promise<void> {
    while ((await this.#count()).held < wanted);
  }

  /** Returns the live memory of the server, in bytes. */
  async measure(): Promise<number> {
    return (await this.tell({ do: 'measure' })) as number; // the answer of the program
  }

  /** Resolves when the server has no unsent data. */
  async emptied(): Promise<void> {
    while ((await this.#count()).unsent > 0);
  }

  /** Resolves when the server has this amount of unsent data. */
  async fills(bytes: number): Promise<void> {
    while ((await this.#count()).unsent < bytes);
  }

  /** Changes memos without a notification. */
  write(...names: string[]): void {
    for (const name of names) {
      const version = this.version(name) + 1;
      this.#versions.set(name, version);
      writeFileSync(join(this.folder, `memo-${name}`), String(version));
    }
  }

  /** Changes memos and makes the server notify them. */
  async touch(...names: string[]): Promise<void> {
    this.write(...names);
    await this.tell({ do: 'touch', uris: names.map((name) => `memo://${name}`) });
  }

  version(name: string): number {
    return this.#versions.get(name) ?? 0;
  }

  /** Returns the number of executions of each call. */
  ledger(): Map<string, number> {
    const times = new Map<string, number>();
    const lines = readFileSync(join(this.folder, 'ledger'), 'utf8').split('\n').slice(0, -1);
    for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
    return times;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.kill();
    await new Promise<void>((resolve) => this.#control.close(() => resolve()));
    rmSync(this.folder, { recursive: true, force: true });
    this.#program.remove();
  }

  async #count(): Promise<{ held: number; unsent: number }> {
    return (await this.tell({ do: 'count' })) as { held: number; unsent: number };
  }

  get #controlPath(): string {
    return join(this.folder, 'control');
  }

  #meet(control: Socket): void {
    let live: Live | undefined;
    control.on('error', () => {
      // the server was killed
    });
    control.once('close', () => {
      if (this.#live === live) this.#live = undefined;
      for (const { reject } of live?.answers ?? []) reject(new Error('the server died over an order'));
    });
    const lines = createInterface({ input: control });
    lines.on('error', () => {
      // as above
    });
    lines.on('line', (line) => {
      const message = JSON.parse(line) as Announcement | { answer: unknown }; // our own program
      if ('answer' in message) {
        live?.answers.shift()?.resolve(message.answer);
        return;
      }
      live = { ...message, control, answers: [] };
      this.#live = live;
      this.starts += 1;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }
}
