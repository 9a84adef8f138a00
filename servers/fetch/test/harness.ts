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
import { afterAll, afterEach } from 'vitest';
import { createFetchServer, type FetchOptions } from '../src/server.ts';
import { spec } from '../src/spec.ts';
import { builtReader } from './reader-build.ts';

export const newest = '2026-07-28';
/** Revisions with structured results. */
export const structuredRevisions: readonly Revision[] = ['2025-06-18', '2025-11-25', '2026-07-28'];

export interface Setting extends Partial<Omit<FetchOptions, 'roots'>> {
  /** roots for downloads */
  roots?: readonly (string | RootSpec)[];
  revision?: Revision;
  elicitation?: ClientOptions['elicitation'];
  /** the roots that the client offers; without them it does not offer the capability */
  offers?: ClientOptions['roots'];
  sampling?: ClientOptions['sampling'];
  onNotification?: ClientOptions['onNotification'];
}

/** Servers and clients of the tests in one file, closed after the test. */
export class Served {
  readonly #endings: (() => Promise<unknown>)[] = [];
  /** errors that the servers reported in the background */
  readonly faults: unknown[] = [];

  /** Closed after the test, or after the file. */
  constructor(until: 'test' | 'file' = 'test') {
    const after = until === 'file' ? afterAll : afterEach;
    after(async () => {
      await this.close();
      this.faults.length = 0;
    });
  }

  /** Closes the current clients and servers. */
  async close(): Promise<void> {
    for (const end of this.#endings.splice(0).reverse()) await end();
  }

  /** Returns a client of a new server in this process. */
  async client(setting: Setting = {}): Promise<Client> {
    const {
      revision = newest,
      roots = [],
      offers,
      elicitation,
      sampling,
      onNotification,
      ...options
    } = setting;
    const { server, close } = createFetchServer({
      roots: roots.map((root) => (typeof root === 'string' ? { path: root, readOnly: false } : root)),
      readOnly: false,
      tools: spec.tools,
      clientRoots: 'narrow',
      maxOutput: 102_400,
      readerFile: await builtReader(),
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

/** A tool's result as readers of either half see it. */
export interface Outcome<Facts> {
  result: CallToolResult;
  failed: boolean;
  text: string;
  /** the structured half; older revisions have none */
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
  const failure = result._meta?.failure as { code: string } | undefined; // the server's own member
  return {
    result,
    failed: result.isError === true,
    text: result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    facts: result.structuredContent as Facts, // each test reads the members of its tool's schema
    code: failure?.code,
  };
}

export { allRevisions };
