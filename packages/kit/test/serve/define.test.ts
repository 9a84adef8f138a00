import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRootSpec, readSmall } from '@rootbound/kit/boundary';
import type { DenyExtras } from '@rootbound/kit/cli';
import {
  type CallFacts,
  type DefineOptions,
  type Definition,
  defineServer,
  type ServerParts,
} from '@rootbound/kit/serve';
import { toolFor } from '@rootbound/protocol';
import { type Client, type ClientOptions, connect, streams } from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

const tool = toolFor<CallFacts>();
const read = tool({
  name: 'read',
  description: 'Reads a file',
  input: z.object({ path: z.string() }),
  output: z.object({ text: z.string() }),
  annotations: { readOnlyHint: true },
  run: ({ path }, { scope: { scope } }) => ({ text: String(readSmall(scope, path, 1000)?.bytes) }),
});
const write = tool({
  name: 'write',
  description: 'Names the owner',
  input: z.object({}),
  output: z.object({ owner: z.string() }),
  run: (_, { scope: { owner } }) => ({ owner }),
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'define-'));
  mkdirSync(join(folder, 'root'));
  writeFileSync(join(folder, 'root', 'note.txt'), 'a note');
  writeFileSync(join(folder, 'root', '.env'), 'SECRET=1');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Wish {
  readOnly?: boolean;
  tools?: readonly string[];
  extra?: { deny?: readonly string[] };
  formerNames?: Readonly<Record<string, string>>;
  define?: (parts: ServerParts) => Partial<Definition<CallFacts>>;
  onError?: (error: unknown) => void;
  client?: Partial<ClientOptions>;
}

async function open({
  define = () => ({}),
  client = {},
  ...wish
}: Wish = {}): Promise<Client & { closeServer(): Promise<void> }> {
  const options: DefineOptions<DenyExtras> = {
    readOnly: false,
    tools: ['read', 'write'],
    clientRoots: 'narrow',
    maxOutput: 1000,
    roots: [parseRootSpec(join(folder, 'root'))],
    ...wish,
  };
  const { server, close } = defineServer<CallFacts>(options, (parts) => ({
    ...{ name: 'sample', version: '1.0.0', tools: [read, write], workspace: (call: CallFacts) => call },
    ...define(parts),
  }));
  const connected = await connect(
    streams(() => serveMemory(server)),
    { name: 'test', version: '1.0.0', ...client },
  );
  onTestFinished(async () => {
    await connected.close();
    await close();
  });
  return Object.assign(connected, { closeServer: close });
}

const names = async (client: Client): Promise<string[]> => (await client.listTools()).map(({ name }) => name);

test('a call reads below the roots; denied names and paths outside are reported as missing', async () => {
  const client = await open({ extra: { deny: ['*.key'] } });
  writeFileSync(join(folder, 'root', 'own.key'), 'secret');
  writeFileSync(join(folder, 'outside'), 'secret');
  const { structuredContent } = await client.callTool('read', { path: 'note.txt' });
  expect(structuredContent).toEqual({ text: 'a note' });
  for (const path of ['.env', 'own.key', join(folder, 'outside')])
    expect(await client.callTool('read', { path })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no such file or folder') }],
    });
});

test('the roots of a client narrow its calls', async () => {
  mkdirSync(join(folder, 'root', 'inner'));
  const client = await open({
    client: { era: 'handshake', roots: () => [{ uri: `file://${join(folder, 'root', 'inner')}` }] },
  });
  expect(await client.callTool('read', { path: join(folder, 'root', 'note.txt') })).toMatchObject({
    isError: true,
  });
});

test('the options decide which tools are offered, and --read-only leaves those with a readOnlyHint', async () => {
  expect(await names(await open())).toEqual(['read', 'write']);
  expect(await names(await open({ tools: ['write'] }))).toEqual(['write']);
  expect(await names(await open({ readOnly: true }))).toEqual(['read']);
  const former = await open({
    tools: ['read_all'],
    formerNames: { read: 'read_all', write: 'read_some' },
  });
  expect(await names(former)).toEqual(['read']);
});

test('parts are loaded at their first use and closed in the reverse order of their definition', async () => {
  const events: string[] = [];
  const part = (name: string): { close(): void } => {
    events.push(`load ${name}`);
    return { close: () => void events.push(`close ${name}`) };
  };
  const client = await open({
    define: ({ lazily, closing }) => {
      const engine = lazily(async () => part('engine'));
      lazily(async () => part('unused'));
      closing(part('watcher'));
      return { engine, workspace: (call) => engine.use(() => call) };
    },
  });
  expect(events).toEqual(['load watcher']);
  await client.callTool('write');
  await client.callTool('write');
  await client.closeServer();
  expect(events).toEqual(['load watcher', 'load engine', 'close watcher', 'close engine']);
});

test('an engine that failed to load fails its call and is loaded again for the next', async () => {
  let loads = 0;
  const errors: unknown[] = [];
  const client = await open({
    onError: (error) => errors.push(error),
    define: ({ lazily }) => {
      const engine = lazily(async () => {
        loads += 1;
        if (loads === 1) throw new Error('a file is damaged');
        return { close: () => {} };
      });
      return { engine, workspace: (call) => engine.use(() => call) };
    },
  });
  expect(await client.callTool('write')).toMatchObject({ isError: true });
  expect(await client.callTool('write')).toMatchObject({ structuredContent: { owner: '' } });
  expect(errors).toMatchObject([{ message: 'a file is damaged' }]);
});

test('several changes of resources in one turn are one notice', async () => {
  let change = (): void => {};
  let notices = 0;
  let notified = (): void => {};
  const noticed = new Promise<void>((resolve) => {
    notified = resolve;
  });
  const client = await open({
    define: (parts) => {
      change = () => parts.resourcesChanged();
      return { listResources: () => [] };
    },
  });
  await client.onListChanged('resources', () => {
    notices += 1;
    notified();
  });
  change();
  change();
  await noticed;
  expect(notices).toBe(1);
});

test('watched resources are announced, and looked at again, when a root has vanished', async () => {
  let looked = (): void => {};
  const again = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const client = await open({
    define: ({ lazily }) => {
      const watching = lazily(async () => ({ lookAgain: () => looked(), close: () => {} }));
      return { watching, listResources: async () => watching.load().then(() => []) };
    },
  });
  await client.listResources();
  rmSync(join(folder, 'root'), { recursive: true });
  await client.callTool('write');
  await again;
});
