import type { RootSpec } from '@rootbound/kit/boundary';
import { allRevisions, type CallToolResult, type Revision } from '@rootbound/protocol';
import {
  type Client,
  type ClientOptions,
  connect,
  type RequestOptions,
  streams,
} from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterAll, afterEach, inject } from 'vitest';
import { createSqliteServer, type SqliteOptions } from '../src/server.ts';
import { spec } from '../src/spec.ts';

export const newest = '2026-07-28';
/** The revisions with structured results. */
export const structuredRevisions: readonly Revision[] = ['2025-06-18', '2025-11-25', '2026-07-28'];

export interface Setting extends Partial<Omit<SqliteOptions, 'roots'>> {
  revision?: Revision;
  elicitation?: ClientOptions['elicitation'];
  /** the roots that the client offers; undefined for a client without roots */
  offers?: ClientOptions['roots'];
  sampling?: ClientOptions['sampling'];
  onNotification?: ClientOptions['onNotification'];
}

/** Servers and clients of the tests in one file, closed after each test. */
export class Served {
  readonly #endings: (() => Promise<unknown>)[] = [];
  /** faults that the servers reported */
  readonly faults: unknown[] = [];

  readonly #shared: Map<string, Promise<Client>> | undefined;

  /** when they are closed: after each test, after the file, or only by `close` */
  constructor(until: 'test' | 'file' | 'shared' | 'closed' = 'test') {
    if (until === 'closed') return;
    if (until === 'shared') this.#shared = new Map();
    const after = until === 'test' ? afterEach : afterAll;
    after(async () => {
      await this.close();
      this.faults.length = 0;
    });
  }

  /** Closes all current clients and servers. */
  async close(): Promise<void> {
    for (const end of this.#endings.splice(0).reverse()) await end();
  }

  /** Returns a client of a new server in this process over these roots. */
  client(roots: readonly (string | RootSpec)[], setting: Setting = {}): Promise<Client> {
    const key = JSON.stringify([roots, setting]);
    const made = this.#shared?.get(key) ?? this.#connect(roots, setting);
    this.#shared?.set(key, made);
    return made;
  }

  async #connect(roots: readonly (string | RootSpec)[], setting: Setting): Promise<Client> {
    const { revision = newest, offers, elicitation, sampling, onNotification, ...options } = setting;
    const { server, close } = createSqliteServer({
      roots: roots.map((root) => (typeof root === 'string' ? { path: root, readOnly: false } : root)),
      readOnly: false,
      tools: spec.tools,
      clientRoots: 'narrow',
      maxOutput: 102_400,
      laneFile: inject('laneFile'),
      onError: (error) => this.faults.push(error),
      ...options,
    });
    this.#endings.push(close);
    const client = await connect(
      streams(() => serveMemory(server)),
      {
        name: 'test',
        version: '1.0.0',
        timeout: 120_000,
        ...(revision === newest ? { era: { pinned: revision } } : { era: 'handshake' as const, revision }),
        ...(offers !== undefined && { roots: offers }),
        ...(elicitation !== undefined && { elicitation }),
        ...(sampling !== undefined && { sampling }),
        ...(onNotification !== undefined && { onNotification }),
      },
    );
    this.#endings.push(() => client.close());
    return client;
  }
}

/** A tool's result in both halves. */
export interface Outcome<Facts> {
  result: CallToolResult;
  failed: boolean;
  text: string;
  /** the structured half; undefined in older revisions */
  facts: Facts;
  code: string | undefined;
}

export async function call<Facts = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options?: RequestOptions,
): Promise<Outcome<Facts>> {
  const result = await client.callTool(name, args, options);
  const failure = result._meta?.failure as { code: string } | undefined; // an output member of the server
  return {
    result,
    failed: result.isError === true,
    text: result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    facts: result.structuredContent as Facts, // each test reads members of its tool's output schema
    code: failure?.code,
  };
}

export { allRevisions };
