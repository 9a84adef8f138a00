import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram, type Program } from './bundle.ts';
import type { Announcement, Limits, Order, Place } from './orders.ts';

/** A server that serves and takes orders. */
interface Live extends Announcement {
  control: Socket;
  answers: { resolve(answer: unknown): void; reject(error: Error): void }[];
}

/** Ports that no system gives to whoever asks for any: they stay free while a server is away. */
const [LEAST_PORT, MOST_PORTS] = [20_000, 10_000];

/** A port that stays the site's own. */
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

/** A place for servers; closing it removes their program too. */
export async function openSite(limits?: Limits): Promise<Site> {
  const site = new Site(await bundleProgram(), await findPort(), limits);
  await site.open();
  return site;
}

/** Where servers come and go, one at a time; what they have done outlives them. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'rootbound-site-'));
  readonly #program: Program;
  readonly #limits: Limits;
  readonly #control: Server;
  readonly #versions = new Map<string, number>();
  /** the port that every server of this site has */
  readonly port: number;
  #live: Live | undefined;
  /** servers that were there so far */
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

  /** Whether nothing will be served here any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#control.listen(this.#controlPath, resolve));
  }

  /** What runs a server on its standard streams. */
  get command(): { command: string; args: string[] } {
    const place: Place = { folder: this.folder, control: this.#controlPath };
    return { command: process.execPath, args: [this.#program.path, JSON.stringify(place)] };
  }

  /** Starts a server behind the socket and the port, the same one each time, and waits until it serves. */
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
      // from here on a test ends it
    });
  }

  /** Resolves when a server serves. */
  async up(): Promise<void> {
    while (this.#live === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the server where it stands, and waits until it is gone. */
  async kill(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    const gone = new Promise<void>((resolve) => live.control.once('close', () => resolve()));
    try {
      process.kill(live.pid, 'SIGKILL');
    } catch (error) {
      // it has ended by itself, and is about to be heard of
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await gone;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Gives an order and waits for what comes of it. */
  async tell(order: Order): Promise<unknown> {
    const live = this.#live;
    if (live === undefined) throw new Error('there is no server to give orders to');
    return new Promise((resolve, reject) => {
      live.answers.push({ resolve, reject });
      live.control.write(`${JSON.stringify(order)}\n`);
    });
  }

  /** Resolves when as many calls are held as are wanted. */
  async holds(wanted: number): Promise<void> {
    while ((await this.#count()).held < wanted);
  }

  /** Bytes that the server holds, garbage apart. */
  async measure(): Promise<number> {
    return (await this.tell({ do: 'measure' })) as number; // as the program says
  }

  /** Resolves when the server holds nothing that a client should have read. */
  async emptied(): Promise<void> {
    while ((await this.#count()).unsent > 0);
  }

  /** Resolves when the server holds so much. */
  async fills(bytes: number): Promise<void> {
    while ((await this.#count()).unsent < bytes);
  }

  /** Changes memos, though nobody may be there to tell it. */
  write(...names: string[]): void {
    for (const name of names) {
      const version = this.version(name) + 1;
      this.#versions.set(name, version);
      writeFileSync(join(this.folder, `memo-${name}`), String(version));
    }
  }

  /** Changes memos and lets the server tell it. */
  async touch(...names: string[]): Promise<void> {
    this.write(...names);
    await this.tell({ do: 'touch', uris: names.map((name) => `memo://${name}`) });
  }

  version(name: string): number {
    return this.#versions.get(name) ?? 0;
  }

  /** How often each thing was done. */
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
