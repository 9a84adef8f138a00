import type { Revision } from '../schema/official.ts';
import { cli } from './servers.ts';
import type { CallOptions, ClientKind, Connect, Session } from './session.ts';

interface Types {
  ListRootsRequestSchema: unknown;
  ResourceUpdatedNotificationSchema: unknown;
  ResourceListChangedNotificationSchema: unknown;
}

/** The common part of all SDK versions before 2, whose own types differ with the version of zod. */
interface SdkClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  getServerVersion(): { name: string } | undefined;
  setRequestHandler(schema: unknown, handler: () => object): void;
  setNotificationHandler(schema: unknown, handler: (message: { params: { uri: string } }) => void): void;
  listTools(): ReturnType<Session['listTools']>;
  callTool(params: object, resultSchema: undefined, options?: CallOptions): ReturnType<Session['callTool']>;
  listResources(): ReturnType<Session['listResources']>;
  listResourceTemplates(): ReturnType<Session['listTemplates']>;
  readResource(params: { uri: string }): ReturnType<Session['readResource']>;
  listPrompts(): ReturnType<Session['listPrompts']>;
  getPrompt(params: object): ReturnType<Session['getPrompt']>;
  complete(params: object): Promise<{ completion: { values: string[] } }>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  setLoggingLevel(level: string): Promise<unknown>;
  sendRootsListChanged(): Promise<void>;
}

interface Sdk {
  Client: new (info: object, options: object) => SdkClient;
  StdioClientTransport: new (parameters: object) => object;
  types: Types;
}

/** One version of @modelcontextprotocol/sdk for each handshake revision, which it requests. */
export const sdks: readonly ClientKind[] = [
  sdk('1.0.4', '2024-11-05'),
  sdk('1.12.3', '2025-03-26'),
  sdk('1.17.5', '2025-06-18'),
  sdk('1.32.2', '2025-11-25'),
];

function sdk(version: string, revision: Revision): ClientKind {
  return {
    name: `SDK ${version}`,
    revision,
    connect: async (options) => connect(await load(`sdk-${revision}`), options),
  };
}

async function load(name: string): Promise<Sdk> {
  const [client, stdio, types] = await Promise.all([
    import(`${name}/client/index.js`) as Promise<Pick<Sdk, 'Client'>>,
    import(`${name}/client/stdio.js`) as Promise<Pick<Sdk, 'StdioClientTransport'>>,
    import(`${name}/types.js`) as Promise<Types>,
  ]);
  return { Client: client.Client, StdioClientTransport: stdio.StdioClientTransport, types };
}

async function connect(
  { Client, StdioClientTransport, types }: Sdk,
  { servers, program = cli, args, roots }: Connect,
): Promise<Session> {
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities });
  if (roots !== undefined) {
    client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: roots() }));
  }
  const command = { command: process.execPath, args: [program, ...args], stderr: 'pipe' };
  await servers.overhear(() => client.connect(new StdioClientTransport(command)));
  return {
    server: servers.last,
    serverName: () => client.getServerVersion()?.name,
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    completePrompt: (name, argument, value) =>
      complete(client, { type: 'ref/prompt', name }, argument, value),
    completeTemplate: (uri, argument, value) =>
      complete(client, { type: 'ref/resource', uri }, argument, value),
    async watch(uri) {
      await client.subscribeResource({ uri });
      return { stop: async () => void (await client.unsubscribeResource({ uri })) };
    },
    onUpdated: (handler) =>
      client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) =>
        handler(params.uri),
      ),
    onResourceListChanged: (handler) =>
      client.setNotificationHandler(types.ResourceListChangedNotificationSchema, () => handler()),
    sendRootsListChanged: () => client.sendRootsListChanged(),
    setLevel: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  };
}

async function complete(client: SdkClient, ref: object, name: string, value: string): Promise<string[]> {
  const { completion } = await client.complete({ ref, argument: { name, value } });
  return completion.values;
}
