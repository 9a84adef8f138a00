import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CallToolResult } from '@rootbound/protocol';
import {
  type Client,
  type ClientOptions,
  childProcess,
  connect,
  http,
  type Revision,
  type Transport,
} from '@rootbound/protocol/client';
import { afterEach, beforeEach, expect } from 'vitest';
import { Mounts } from './mounts.ts';
import { snapshot } from './snapshot.ts';

export const newest = '2026-07-28';

/** The folder of the built server. */
export const dist = join(import.meta.dirname, '..', '..', 'servers', 'filesystem', 'dist');

/** Options for starting a server. */
export interface Start {
  /** options and roots; default: the root of the world */
  readonly args?: readonly string[];
  /** options of Node */
  readonly node?: readonly string[];
  /** a command prefix */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** the program; default: the built server */
  readonly program?: string;
  readonly revision?: Revision;
  readonly onNotification?: ClientOptions['onNotification'];
}

/** A folder for each test, with `root` for the server and `outside` beside it, optionally in a mount namespace. */
export class World {
  #top = '';
  #endings: (() => Promise<unknown>)[] = [];
  #mounts: Mounts | undefined;
  #outside: string[] | undefined;
  /** the stderr of the servers of this test */
  stderr = '';

  constructor() {
    if (!existsSync(join(dist, 'cli.js'))) throw new Error('the servers are not built: npm test builds them');
    beforeEach(() => {
      this.#top = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-system-'));
      this.stderr = '';
      for (const folder of [this.root, this.outside]) mkdirSync(folder);
      writeFileSync(join(this.outside, 'secret'), 'the secret outside');
      this.#outside = undefined;
    });
    afterEach(async () => {
      const outside = snapshot(this.outside);
      for (const end of this.#endings.reverse()) await end();
      this.#endings = [];
      await this.#mounts?.close();
      this.#mounts = undefined;
      rmSync(this.#top, { recursive: true, force: true });
      if (this.#outside !== undefined) expect(outside).toEqual(this.#outside);
      // a caught bug is logged with its stack
      expect(this.stderr).not.toMatch(/^ {4}at /m);
    });
  }

  get top(): string {
    return this.#top;
  }

  get root(): string {
    return join(this.#top, 'root');
  }

  get outside(): string {
    return join(this.#top, 'outside');
  }

  /** Creates a mount namespace for this test. */
  async mounts(): Promise<Mounts> {
    this.#mounts ??= await Mounts.open();
    return this.#mounts;
  }

  /** Returns a path below the root, for the test itself. */
  at(name: string): string {
    const path = join(this.root, name);
    return this.#mounts === undefined ? path : this.#mounts.at(path);
  }

  /** Writes a file below the root. */
  put(name: string, content: string | Uint8Array = ''): string {
    const path = this.at(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Returns a snapshot of the root. */
  all(): string[] {
    return snapshot(this.at('.'));
  }

  /** Starts the built server in the namespace of this test, and connects to it. */
  async start(how: Start = {}): Promise<Client> {
    this.#outside ??= snapshot(this.outside);
    const { args = [this.root], node = [], before = [], program = join(dist, 'cli.js') } = how;
    const words = [...(this.#mounts?.entering ?? []), ...before, process.execPath, ...node, program, ...args];
    const [command = '', ...rest] = words;
    const { env } = how;
    const note = (text: string): void => {
      this.stderr += text;
    };
    return this.#connect(
      childProcess({ command, args: rest, stderr: note, ...(env !== undefined && { env }) }),
      how,
    );
  }

  /** Starts the built server over HTTP; returns its address. */
  async serve(args: readonly string[] = [this.root]): Promise<string> {
    this.#outside ??= snapshot(this.outside);
    const child = spawn(process.execPath, [join(dist, 'cli.js'), '--http', '127.0.0.1:0', ...args]);
    const ended = once(child, 'exit');
    this.atEnd(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    let heard = '';
    return new Promise((resolve, reject) => {
      child.stderr.on('data', (text: Buffer) => {
        heard += String(text);
        this.stderr += String(text);
        const url = /^listening on (\S+)$/m.exec(heard)?.[1];
        if (url !== undefined) resolve(url);
      });
      void ended.then(() => reject(new Error(`the server ended: ${heard}`)));
    });
  }

  /** Connects to a server over HTTP. */
  join(url: string): Promise<Client> {
    return this.#connect(http(url), {});
  }

  async #connect(transport: Transport, { revision = newest, onNotification }: Start): Promise<Client> {
    const client = await connect(transport, {
      name: 'system',
      version: '1.0.0',
      // below the test runner's own limit, so that a missing answer is reported by its request
      timeout: 120_000,
      ...(revision === newest ? { era: { pinned: revision } } : { era: 'handshake' as const, revision }),
      ...(onNotification !== undefined && { onNotification }),
    });
    this.atEnd(() => client.close());
    return client;
  }

  /** Registers a function to call after the test. */
  atEnd(end: () => Promise<unknown>): void {
    this.#endings.push(end);
  }
}

/** The outcome of a call, with both halves. */
export interface Outcome {
  /** `done`, or the code of the failure */
  readonly code: string;
  readonly text: string;
  readonly facts: Record<string, unknown>;
  readonly result: CallToolResult;
}

/** Calls a tool. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Outcome> {
  const result = await client.callTool(name, args);
  const text = result.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
  const failure = result._meta?.failure as { code: string } | undefined; // this server's member
  const facts = (result.structuredContent ?? {}) as Record<string, unknown>; // an object by the output schemas
  const code = result.isError === true ? (failure?.code ?? 'error without a code') : 'done';
  return { code, text, facts, result };
}

/** Returns the code and the first line of an error, whose second line is the next step. */
export function messageOf({ code, text }: Outcome): string {
  const lines = text.split('\n');
  return `${code}: ${lines[0]}${lines.length > 2 ? ` and ${lines.length - 2} more lines than two` : ''}`;
}

/** Calls `look` until `wanted` returns true for its result, at most until the test's timeout. */
export async function until<T>(look: () => T | Promise<T>, wanted: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (wanted(seen)) return seen;
    await setTimeout(10);
  }
}
