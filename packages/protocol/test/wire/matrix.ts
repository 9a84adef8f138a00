import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { outermost } from '../../../../test/extent.ts';
import { allRevisions, type Revision, revisions } from '../../src/protocol/revisions.ts';
import { serveMemory } from '../../src/testing.ts';
import { Conversation } from './conversation.ts';
import { fixtureServer } from './fixture.ts';
import type { Message } from './message.ts';
import { type Program, program } from './program.ts';

export type Place = 'memory' | 'process';

export interface OpenOptions {
  /** maximum length of a line for the server */
  messageLimit?: number;
}

/** A revision over one kind of stream, with functions for a test. */
export interface World {
  place: Place;
  revision: Revision;
  stateless: boolean;
  /** Returns a talk before the handshake. */
  raw(options?: OpenOptions): Conversation;
  /** Returns a talk after the handshake, if there is one. */
  open(options?: OpenOptions): Promise<Conversation>;
  /** Returns one request of the revision as a line; `meta` goes into `_meta`. */
  line(id: string | number, method: string, params?: object, meta?: object): string;
  /** Returns a tool call as a line. */
  call(id: string | number, name: string, args?: object, meta?: object): string;
}

const facts = (capabilities: object): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
});

/** Runs the tests of `body` for each revision in memory, and in a process for the first and the last, in the full run for each. */
export function everywhere(
  body: (world: World) => void,
  options: {
    revisions?: readonly Revision[];
    places?: readonly Place[];
    /** the revisions that are also tested in a process; default all that are tested */
    processes?: readonly Revision[];
    capabilities?: object;
  } = {},
): void {
  const { revisions: chosen = allRevisions, places = ['memory', 'process'], capabilities = {} } = options;
  const spawned = options.processes ?? chosen;
  const inProcess = places.includes('process') ? outermost(spawned) : [];
  const inMemory = places.includes('memory') ? chosen : [];
  const worlds = [
    ...inMemory.map((revision) => ({ place: 'memory', revision }) as const),
    ...inProcess.map((revision) => ({ place: 'process', revision }) as const),
  ];
  const processes = new Processes();
  if (places.includes('process')) {
    beforeAll(() => processes.build());
    afterEach(() => processes.stopAll());
    afterAll(() => processes.remove());
  }
  describe.each(worlds)('$place $revision', ({ place, revision }) => {
    body(worldOf(place, revision, capabilities, processes));
  });
}

function worldOf(place: Place, revision: Revision, capabilities: object, processes: Processes): World {
  const stateless = revisions[revision].era === 'stateless';
  const raw: World['raw'] = (options = {}) => {
    const pair = place === 'memory' ? serveMemory(fixtureServer(), options) : processes.start(options).pair;
    return new Conversation(pair, revision);
  };
  const line: World['line'] = (id, method, params = {}, meta = {}) => {
    const _meta = { ...(stateless && facts(capabilities)), ...meta };
    const withMeta = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: withMeta });
  };
  return {
    place,
    revision,
    stateless,
    raw,
    line,
    call: (id, name, args = {}, meta = {}) => line(id, 'tools/call', { name, arguments: args }, meta),
    open: async (options) => {
      const talk = raw(options);
      if (!stateless) await shakeHands(talk, revision, capabilities);
      return talk;
    },
  };
}

/** Starts a handshake session. */
export async function shakeHands(
  talk: Conversation,
  revision: Revision,
  capabilities: object,
): Promise<Message> {
  const clientInfo = { name: 'tester', version: '1.0.0' };
  const params = { protocolVersion: revision, capabilities, clientInfo };
  const answer = await talk.ask(JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params }));
  talk.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return answer;
}

export interface Started {
  child: ChildProcess;
  pair: { input: NonNullable<ChildProcess['stdout']>; output: NonNullable<ChildProcess['stdin']> };
  /** resolves with the exit code, or the signal that ended the process */
  ended: Promise<number | string>;
}

/** The fixture server as processes, which end with their test. */
export class Processes {
  readonly #running = new Set<ChildProcess>();
  #built: Program | undefined;

  async build(): Promise<void> {
    this.#built = await program('./server.ts');
  }

  get path(): string {
    if (this.#built === undefined) throw new Error('the fixture server is not built yet');
    return this.#built.path;
  }

  start({ messageLimit, path = this.path }: OpenOptions & { path?: string } = {}): Started {
    const env = messageLimit === undefined ? {} : { MESSAGE_LIMIT: String(messageLimit) };
    const child = spawn(process.execPath, [path], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    this.#running.add(child);
    const ended = new Promise<number | string>((resolve) => {
      child.once('exit', (code, signal) => {
        this.#running.delete(child);
        resolve(code ?? signal ?? 'unknown');
      });
    });
    return { child, pair: { input: child.stdout, output: child.stdin }, ended };
  }

  stopAll(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  remove(): void {
    this.#built?.remove();
  }
}
