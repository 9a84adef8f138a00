import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Revision } from '../schema/official.ts';
import { cli } from './servers.ts';
import type { ClientKind, Connect, Session } from './session.ts';

/** A session of @modelcontextprotocol/client, with the client for its own features. */
export interface ClientSession extends Session {
  readonly client: Client;
}

interface Mode extends ClientKind {
  connect(options: Connect): Promise<ClientSession>;
}

/** The modes of @modelcontextprotocol/client 2: legacy, probing, and pinned to one revision. */
export const modes = {
  legacy: mode('legacy', 'legacy', '2025-11-25'),
  auto: mode('auto', 'auto', '2026-07-28'),
  pinned: mode('pinned', { pin: '2026-07-28' }, '2026-07-28'),
};

function mode(name: string, negotiation: VersionNegotiationMode, revision: Revision): Mode {
  return {
    name: `client 2.4.0 (${name})`,
    revision,
    connect: (options) => connect(negotiation, revision, options),
  };
}

async function connect(
  negotiation: VersionNegotiationMode,
  revision: Revision,
  { servers, program = cli, args, roots }: Connect,
): Promise<ClientSession> {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    {
      capabilities: roots === undefined ? {} : { roots: { listChanged: true } },
      versionNegotiation: { mode: negotiation },
    },
  );
  if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: roots() }));
  const command = { command: process.execPath, args: [program, ...args], stderr: 'pipe' as const };
  await servers.overhear(() => client.connect(new StdioClientTransport(command)));
  return {
    client,
    server: servers.last,
    serverName: () => client.getServerVersion()?.name,
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: args }, options),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    // every prompt of the filesystem server is text
    getPrompt: (name, args) =>
      client.getPrompt({ name, arguments: args }) as ReturnType<Session['getPrompt']>,
    completePrompt: async (name, argument, value) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } }))
        .completion.values,
    completeTemplate: async (uri, argument, value) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: argument, value } }))
        .completion.values,
    watch: (uri) => (revision === '2026-07-28' ? listen(client, uri) : subscribe(client, uri)),
    onUpdated: (handler) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => handler(params.uri)),
    onResourceListChanged: (handler) =>
      client.setNotificationHandler('notifications/resources/list_changed', () => handler()),
    sendRootsListChanged: () => client.sendRootsListChanged(),
    setLevel: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  };
}

async function subscribe(client: Client, uri: string): Promise<{ stop(): Promise<void> }> {
  await client.subscribeResource({ uri });
  return { stop: async () => void (await client.unsubscribeResource({ uri })) };
}

async function listen(client: Client, uri: string): Promise<{ stop(): Promise<void> }> {
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  return { stop: () => subscription.close() };
}
