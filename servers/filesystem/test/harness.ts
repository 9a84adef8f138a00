import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RootSpec } from '@rootbound/kit/boundary';
import {
  allRevisions,
  type CallToolResult,
  type ContentBlock,
  type Revision,
  type Root,
} from '@rootbound/protocol';
import {
  type Change,
  type Client,
  type ClientOptions,
  connect,
  type RequestOptions,
  type Subscription,
  streams,
  type Transport,
} from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterEach, beforeEach, describe } from 'vitest';
import { createFilesystem, type FilesystemOptions } from '../src/server.ts';
import { toolNames } from '../src/spec.ts';

export const newest = '2026-07-28';
/** The revisions whose results have a structured half. */
export const structuredRevisions: readonly Revision[] = ['2025-06-18', '2025-11-25', '2026-07-28'];
export const handshakeRevisions: readonly Revision[] = allRevisions.filter((revision) => revision !== newest);

/** Defines tests for every revision of the protocol. */
export function inEveryRevision(tests: (revision: Revision) => void): void {
  describe.each(allRevisions)('in %s', tests);
}

/** Defines tests for revisions whose results have a structured half. */
export function whereStructured(tests: (revision: Revision) => void): void {
  describe.each(structuredRevisions)('in %s', tests);
}

/** Defines tests for revisions in which a connection begins with a handshake. */
export function withHandshake(tests: (revision: Revision) => void): void {
  describe.each(handshakeRevisions)('in %s', tests);
}

/** The built program. */
export const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export interface Setting extends Partial<Omit<FilesystemOptions, 'roots'>> {
  /** default: the writable folder `root` of the scene */
  roots?: readonly RootSpec[];
  revision?: Revision;
  /** the client's roots; without it the client does not declare roots */
  offers?: () => readonly Root[] | Promise<readonly Root[]>;
  /** the user's answers; without it the client does not declare elicitation */
  elicitation?: ClientOptions['elicitation'];
  onNotification?: (method: string, params: Record<string, unknown>) => void;
}

/** A new folder for each test, with `root` for the server and `outside` beside it. */
export class Scene {
  #top = '';
  #endings: (() => Promise<unknown>)[] = [];
  /** errors that the servers of this test reported in the background */
  readonly faults: unknown[] = [];

  constructor() {
    beforeEach(() => {
      this.#top = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-filesystem-'));
      mkdirSync(this.root);
      mkdirSync(this.outside);
      this.faults.length = 0;
    });
    afterEach(async () => {
      for (const end of this.#endings.reverse()) await end();
      this.#endings = [];
      rmSync(this.#top, { recursive: true, force: true });
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

  /** Returns the absolute path of a name in the root. */
  at(name: string): string {
    return join(this.root, name);
  }

  /** Writes a file below the root and returns its path. */
  put(name: string, content: string | Uint8Array = ''): string {
    const path = this.at(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Returns the bytes of a file below the root. */
  bytes(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  /** Returns all names in the root, leftovers included. */
  names(folder = this.root): string[] {
    return readdirSync(folder).sort();
  }

  filesystem({
    revision: _revision,
    offers: _offers,
    elicitation: _elicitation,
    onNotification: _hears,
    ...options
  }: Setting = {}): ReturnType<typeof createFilesystem> {
    const filesystem = createFilesystem({
      roots: [{ path: this.root, readOnly: false }],
      readOnly: false,
      tools: toolNames,
      clientRoots: 'narrow',
      maxOutput: 102_400,
      onError: (error) => this.faults.push(error),
      ...options,
    });
    this.#endings.push(() => filesystem.close());
    return filesystem;
  }

  /** Connects a client to a new server in this process. */
  client(setting: Setting = {}): Promise<Client> {
    return this.join(this.filesystem(setting), setting);
  }

  /** Connects another client to a server. */
  join({ server }: ReturnType<typeof createFilesystem>, setting: Setting = {}): Promise<Client> {
    return this.connect(
      streams(() => serveMemory(server)),
      setting,
    );
  }

  async connect(
    transport: Transport,
    { revision = newest, offers, elicitation, onNotification }: Setting = {},
  ): Promise<Client> {
    const client = await connect(transport, {
      name: 'test',
      version: '1.0.0',
      // below the test runner's own limit, so that a missing answer is reported by its request
      timeout: 120_000,
      ...(revision === newest ? { era: { pinned: revision } } : { era: 'handshake' as const, revision }),
      ...(offers !== undefined && { roots: offers }),
      ...(elicitation !== undefined && { elicitation }),
      ...(onNotification !== undefined && { onNotification }),
    });
    this.#endings.push(() => client.close());
    return client;
  }

  /** Opens a raw conversation with a server in this process. */
  wire(setting: Setting = {}): Wire {
    const { input, output } = serveMemory(this.filesystem(setting).server);
    const wire = new Wire(input, output);
    this.#endings.push(async () => output.end());
    return wire;
  }

  /** Registers a function to call after the test. */
  atEnd(end: () => Promise<unknown>): void {
    this.#endings.push(end);
  }
}

/** Fields of the structured half of this server's tools; each tool has some of them. */
export interface Facts {
  path: string;
  text: string;
  startLine?: number;
  endLine?: number;
  totalLines?: number;
  size: number;
  encoding: string;
  bom?: boolean;
  lineEnds?: string;
  notes?: string[];
  lossy?: boolean;
  invalidBytes?: number;
  firstInvalid?: number;
  etag: string;
  truncated: boolean;
  nextCursor?: string;
  created: boolean;
  bytes: number;
  diff: string;
  replacements: number[];
  applied: boolean;
  mimeType: string;
  data: string;
  offset: number;
  nextOffset?: number;
  files: {
    path: string;
    text?: string;
    totalLines?: number;
    etag?: string;
    truncated?: boolean;
    error?: string;
  }[];
  remaining?: string[];
  roots: { path: string; uri: string; name: string; readOnly: boolean }[];
  reason: string;
}

/** Both halves of a tool's result. */
export interface Outcome {
  result: CallToolResult;
  failed: boolean;
  /** the first text block */
  text: string;
  /** all text blocks in order, joined by line ends */
  words: string;
  content: ContentBlock[];
  /** the structured half, which older revisions lack */
  facts: Facts;
  code: string | undefined;
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options?: RequestOptions,
): Promise<Outcome> {
  const result = await client.callTool(name, args, options);
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const failure = result._meta?.failure as { code: string } | undefined; // this server's member
  return {
    result,
    failed: result.isError === true,
    text: texts[0] ?? '',
    words: texts.join('\n'),
    content: result.content,
    facts: result.structuredContent as unknown as Facts, // each test reads the fields of its tool
    code: failure?.code,
  };
}

/** Reads all parts of a file by cursor. */
export async function readOn(client: Client, args: Record<string, unknown>): Promise<Outcome[]> {
  const parts: Outcome[] = [];
  let cursor: string | undefined;
  do {
    const part = await call(
      client,
      'read_text_file',
      cursor === undefined ? args : { path: args.path, cursor },
    );
    if (part.failed) throw new Error(part.text);
    parts.push(part);
    cursor = part.facts.nextCursor;
  } while (cursor !== undefined);
  return parts;
}

/** Returns the size of each half in the message: JSON strings of the texts, and the JSON of the structure. */
export function halves({ content, structuredContent }: CallToolResult): {
  content: number;
  structured: number;
} {
  return {
    content: content.reduce(
      (total, block) =>
        total + (block.type === 'text' ? Buffer.byteLength(JSON.stringify(block.text)) - 2 : 0),
      0,
    ),
    structured: structuredContent === undefined ? 0 : Buffer.byteLength(JSON.stringify(structuredContent)),
  };
}

/** The notifications of a subscription, as events to wait for. */
export class Changes {
  readonly seen: Change[] = [];
  #waiting: (() => void)[] = [];

  readonly heard = (change: Change): void => {
    this.seen.push(change);
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** Resolves once there are more than `count` notifications. */
  async after(count: number): Promise<void> {
    while (this.seen.length <= count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Runs `work` and resolves at the next notification. */
  async of(work: () => unknown): Promise<void> {
    const { length } = this.seen;
    await work();
    await this.after(length);
  }
}

/** Subscribes, runs `work`, and resolves at the next notification. */
export async function subscribed(
  client: Client,
  uri: string,
): Promise<{ changes: Changes; subscription: Subscription }> {
  const changes = new Changes();
  return { changes, subscription: await client.subscribe(uri, changes.heard) };
}

export interface Message {
  id?: number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** Raw messages in both directions. */
export class Wire {
  readonly heard: Message[] = [];
  readonly #output: Writable;
  #waiting: (() => void)[] = [];
  #lastId = 0;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    createInterface({ input }).on('line', (line) => {
      this.heard.push(JSON.parse(line) as Message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  say(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request; `answer` waits for its response. */
  ask(method: string, params: Record<string, unknown> = {}): number {
    this.#lastId += 1;
    this.say({ id: this.#lastId, method, params });
    return this.#lastId;
  }

  /** Resolves with the first message that matches. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  answer(id: number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    return this.answer(this.ask(method, params));
  }

  /** Sends initialize and waits for its response; the test sends `initialized`. */
  async initialize(revision: Revision, capabilities: object = {}): Promise<void> {
    await this.request('initialize', {
      protocolVersion: revision,
      capabilities,
      clientInfo: { name: 'test', version: '1.0.0' },
    });
  }
}

/** The metadata of every request of the stateless era. */
export function stateless(capabilities: object = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': newest,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built program to its end, with these lines as its input. */
export async function run(args: readonly string[], lines: readonly object[] = []): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {
    // a program that refused its options does not read its input
  });
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
