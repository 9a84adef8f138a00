import { type Client, connect, streams } from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterAll, inject } from 'vitest';
import { createSqliteServer } from '../src/server.ts';
import { spec } from '../src/spec.ts';
import { newest } from './harness.ts';

/** One server and one client for all tests of a file, since starting lanes for each takes longer than the tests. */
export function oneServer(root: string): () => Promise<Client> {
  let made: { server: ReturnType<typeof createSqliteServer>; client: Promise<Client> } | undefined;
  afterAll(async () => {
    await (await made?.client)?.close();
    await made?.server.close();
  });
  return () => {
    made ??= make(root);
    return made.client;
  };
}

function make(root: string): { server: ReturnType<typeof createSqliteServer>; client: Promise<Client> } {
  const server = createSqliteServer({
    roots: [{ path: root, readOnly: false }],
    readOnly: false,
    tools: spec.tools,
    clientRoots: 'narrow',
    maxOutput: 102_400,
    laneFile: inject('laneFile'),
  });
  const client = connect(
    streams(() => serveMemory(server.server)),
    { name: 'test', version: '1.0.0', timeout: 120_000, era: { pinned: newest } },
  );
  return { server, client };
}
