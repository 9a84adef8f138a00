import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The exit and output of a program. */
export interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Order {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

// an unprivileged user can be root in a user namespace, if the system allows it
const isolation = [...(process.getuid?.() === 0 ? [] : ['-U', '-r']), '-n'];
const withLoopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const MOST_MS = 120_000;
const PORTS = ['model', 'site'] as const;
type PortName = (typeof PORTS)[number];

interface Opened {
  readonly name: PortName;
  readonly interfaces: readonly string[];
}

/** Returns whether this system allows a private network namespace. */
export function canConfine(): boolean {
  return spawnSync('unshare', [...isolation, ...withLoopback, 'true']).status === 0;
}

/** A network namespace with loopback only, with ports that this process serves and one program that uses them. */
export class Confinement {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ending>;
  /** listening ports in the network by name */
  interfaces: readonly string[] = [];

  constructor() {
    const program = [process.execPath, join(import.meta.dirname, 'confined.mjs'), ...PORTS];
    this.#child = spawn('unshare', [...isolation, ...withLoopback, ...program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#ended = endOf(this.#child);
  }

  /** Returns the listening ports in the network. */
  async open(): Promise<Record<PortName, Server>> {
    const ports: Partial<Record<PortName, Server>> = {};
    const opened = new Promise<void>((resolve) => {
      this.#child.on('message', ({ name, interfaces }: Opened, server) => {
        ports[name] = server as Server;
        this.interfaces = interfaces;
        if (PORTS.every((one) => one in ports)) resolve();
      });
    });
    const failed = this.#ended.then(({ stderr }) => {
      throw new Error(`no network of its own: ${stderr}`);
    });
    await Promise.race([opened, failed]);
    return ports as Record<PortName, Server>;
  }

  /** Runs the program to its end, at most for two minutes. */
  async run(order: Order): Promise<Ending> {
    const late = setTimeout(() => this.end(), MOST_MS);
    this.#child.send(order);
    const ending = await this.#ended;
    clearTimeout(late);
    return ending;
  }

  /** Terminates running processes. */
  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

async function endOf(child: ChildProcess): Promise<Ending> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout!), text(child.stderr!), exit]);
  return { status, stdout, stderr };
}
