import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The common part of the versions of the official SDK; their own types differ with each zod. */
interface McpServer {
  tool(name: string, shape: object, run: (args: never, extra: Extra) => object): void;
  resource(name: string, uri: string, read: () => object): void;
  connect(transport: object): Promise<void>;
  server: {
    notification(message: object): Promise<void>;
    registerCapabilities(capabilities: object): void;
    setRequestHandler(schema: object, handle: (request: { params: { uri: string } }) => object): void;
    sendResourceUpdated(params: { uri: string }): Promise<void>;
  };
}

export interface Extra {
  signal: AbortSignal;
  requestId: string | number;
  sendNotification(message: object): Promise<void>;
  sendRequest(message: object, schema: object): Promise<object>;
  closeSSEStream?: () => void;
}

interface HttpTransport {
  sessionId?: string;
  onclose?: () => void;
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  handlePostMessage(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

interface Sdk {
  McpServer: new (info: object, options?: object) => McpServer;
  Streamable: new (options: object) => HttpTransport;
  Sse: new (endpoint: string, response: ServerResponse) => HttpTransport;
  types: Record<string, object>;
  z: { string(): object; number(): object };
}

export type SdkName = 'sdk-2025-03-26' | 'sdk-2025-06-18' | 'sdk-2025-11-25';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const fromInterop = createRequire(join(root, 'test', 'interop', 'package.json'));
const fromBench = createRequire(join(root, 'test', 'bench', 'package.json'));

export function load(name: SdkName): Sdk {
  const { McpServer } = fromInterop(`${name}/server/mcp.js`);
  const { StreamableHTTPServerTransport: Streamable } = fromInterop(`${name}/server/streamableHttp.js`);
  const { SSEServerTransport: Sse } = fromInterop(`${name}/server/sse.js`);
  const types = fromInterop(`${name}/types.js`);
  const { z } = createRequire(fromInterop.resolve(`${name}/server/mcp.js`))('zod');
  return { McpServer, Streamable, Sse, types, z };
}

/** Events of an official server that tests wait for. */
export class Hooks {
  readonly aborted: unknown[] = [];
  readonly servers: McpServer[] = [];
  readonly subscribed: string[] = [];
  /** calls of the tool that counts */
  count = 0;
}

/** Returns an official server with a tool for each way in which a call can end. */
export function serverOf({ McpServer, types, z }: Sdk, hooks: Hooks): McpServer {
  const server = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  hooks.servers.push(server);
  const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });
  server.tool('add', { a: z.number(), b: z.number() }, ({ a, b }: { a: number; b: number }) =>
    textResult(String(a + b)),
  );
  server.tool('count', { n: z.number() }, () => textResult(String(++hooks.count)));
  server.tool('steps', { n: z.number() }, (async (
    { n }: { n: number },
    extra: Extra & { _meta: { progressToken: unknown } },
  ) => {
    for (let progress = 1; progress <= n; progress++) {
      const { progressToken } = extra._meta;
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    }
    return textResult('done');
  }) as never);
  server.tool('ask', { n: z.number() }, async (_args, extra) => {
    const answer = await extra.sendRequest({ method: 'roots/list' }, types.ListRootsResultSchema!);
    return textResult(JSON.stringify(answer));
  });
  server.tool(
    'hold',
    { n: z.number() },
    (_args, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          hooks.aborted.push(signal.reason);
          resolve(textResult('aborted'));
        });
      }),
  );
  server.tool('release', { n: z.number() }, (_args, extra) => {
    // messages from here on wait in the event store until they are requested
    extra.closeSSEStream?.();
    return textResult('after the stream was closed');
  });
  server.resource('memo', 'memo://a', () => ({ contents: [{ uri: 'memo://a', text: 'a' }] }));
  server.server.setRequestHandler(types.SubscribeRequestSchema!, ({ params }) => {
    hooks.subscribed.push(params.uri);
    return {};
  });
  server.server.setRequestHandler(types.UnsubscribeRequestSchema!, () => ({}));
  return server;
}

export interface Listening {
  url: string;
  /** drops all sessions, as a restart does */
  forget(): void;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns the URL of a server on this machine that ends with the test. */
export async function listen(handle: Handle): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text === '' ? undefined : JSON.parse(text);
}

/** Stores events in memory, as the examples of the SDK do. */
class Events {
  readonly #all: { id: string; stream: string; message: object }[] = [];

  async storeEvent(stream: string, message: object): Promise<string> {
    const id = `${stream}_${this.#all.length}`;
    this.#all.push({ id, stream, message });
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#all.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send(id: string, message: object): Promise<void> },
  ): Promise<string> {
    const at = this.#all.findIndex(({ id }) => id === last);
    const stream = this.#all[at]?.stream ?? '';
    for (const event of this.#all.slice(at + 1)) {
      if (event.stream === stream && Object.keys(event.message).length > 0)
        await send(event.id, event.message);
    }
    return stream;
  }
}

export interface StreamableOptions {
  json?: boolean;
  /** one transport per request, without sessions */
  sessionless?: boolean;
  events?: boolean;
}

/** Serves an official server over Streamable HTTP as in its examples. */
export async function serveStreamable(
  sdk: Sdk,
  hooks: Hooks,
  { json = false, sessionless = false, events = false }: StreamableOptions = {},
): Promise<Listening> {
  const sessions = new Map<string, HttpTransport>();
  let number = 0;
  const url = await listen(async (request, response) => {
    const body = await bodyOf(request);
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined && id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (transport === undefined) {
      const made: HttpTransport = new sdk.Streamable({
        sessionIdGenerator: sessionless ? undefined : () => `session-${++number}`,
        enableJsonResponse: json,
        onsessioninitialized: (session: string) => void sessions.set(session, made),
        ...(events && { eventStore: new Events(), retryInterval: 5 }),
      });
      transport = made;
      await serverOf(sdk, hooks).connect(transport);
    }
    await transport.handleRequest(request, response, body);
  });
  return { url: `${url}/mcp`, forget: () => sessions.clear() };
}

/** Serves an official server over the transport of 2024-11-05 as in its examples. */
export async function serveSse(
  sdk: Pick<Sdk, 'Sse'>,
  server: () => { connect(transport: object): Promise<void> },
): Promise<string> {
  const sessions = new Map<string, HttpTransport>();
  const url = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new sdk.Sse('/messages', response);
      sessions.set(transport.sessionId!, transport);
      await server().connect(transport);
      return;
    }
    const transport =
      pathname === '/messages' ? sessions.get(searchParams.get('sessionId') ?? '') : undefined;
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handlePostMessage(request, response);
  });
  return `${url}/sse`;
}

/** Loads the low-level server of the SDK of 2024-11-05, with one tool. */
export function loadOldest(): { Sse: Sdk['Sse']; server(): { connect(transport: object): Promise<void> } } {
  const { Server } = fromInterop('sdk-2024-11-05/server/index.js');
  const { SSEServerTransport: Sse } = fromInterop('sdk-2024-11-05/server/sse.js');
  const types = fromInterop('sdk-2024-11-05/types.js');
  const server = (): { connect(transport: object): Promise<void> } => {
    const made = new Server({ name: 'oldest', version: '1.0.0' }, { capabilities: { tools: {} } });
    made.setRequestHandler(
      types.CallToolRequestSchema,
      ({ params }: { params: { arguments: { a: number; b: number } } }) => ({
        content: [{ type: 'text', text: String(params.arguments.a + params.arguments.b) }],
      }),
    );
    return made;
  };
  return { Sse, server };
}

interface Modern {
  McpServer: new (info: object, options?: object) => ModernServer;
  createMcpHandler(
    factory: () => object,
    options?: object,
  ): { notify: Record<string, (...args: unknown[]) => void> };
  toNodeHandler(handler: object): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  z: { object(shape: object): object; string(): { meta(more: object): object }; number(): object };
}

interface ModernServer {
  registerTool(name: string, config: object, run: (args: never, context: ModernContext) => unknown): void;
}

export interface ModernContext {
  mcpReq: { signal: AbortSignal; notify(message: object): Promise<void>; _meta: Record<string, unknown> };
}

/** Loads version 2 of the official SDK, which supports the stateless era. */
export function loadModern(): Modern {
  const { McpServer, createMcpHandler } = fromBench('@modelcontextprotocol/server');
  const { toNodeHandler } = fromBench('@modelcontextprotocol/node');
  return { McpServer, createMcpHandler, toNodeHandler, z: fromBench('zod') };
}
