import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { type ListeningHttp, type ServeHttpOptions, serveHttp } from '../../src/http.ts';
import { confirm, createServer, resource, type Server, tool } from '../../src/index.ts';
import type { Message } from '../wire/message.ts';

export const STATELESS = '2026-07-28';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** of a JSON body */
  json: Message;
  /** of an event stream */
  events: ServerEvent[];
}

export interface ServerEvent {
  id?: string;
  retry?: string;
  data?: string;
  comment?: string;
}

export interface Asking {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
}

/** The state that tests control while calls of the server wait. */
export interface Hooks {
  started: Gate;
  finish: Gate;
  cancelled: Gate;
  server: Server;
}

/** An event that happens once, for which tests can wait. */
export class Gate {
  readonly passed: Promise<void>;
  open: () => void = () => {};
  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** Returns a server with a tool for each way in which a call can end. */
export function sampleServer(): Hooks {
  const hooks = { started: new Gate(), finish: new Gate(), cancelled: new Gate() };
  const watchers = new Set<() => void>();
  const server = createServer({
    name: 'sample',
    version: '1.0.0',
    listChanges: { tools: true, prompts: true },
    prompts: [],
    tools: [
      tool({
        name: 'add',
        description: 'adds',
        input: z.object({ a: z.number(), b: z.number() }),
        output: z.object({ sum: z.number() }),
        run: ({ a, b }) => ({ sum: a + b }),
      }),
      tool({
        name: 'report',
        description: 'reports progress',
        input: z.object({}),
        run: (_args, { progress }) => {
          progress(1, 2, 'half');
          progress(2, 2);
          return 'reported';
        },
      }),
      tool({
        name: 'hold',
        description: 'waits for the test',
        input: z.object({}),
        run: async (_args, { signal, progress }) => {
          signal.addEventListener('abort', hooks.cancelled.open);
          progress(1);
          hooks.started.open();
          await Promise.race([hooks.finish.passed, hooks.cancelled.passed]);
          return 'held';
        },
      }),
      tool({
        name: 'let_go',
        description: 'lets go of its connection',
        input: z.object({}),
        run: async (_args, context) => {
          context.releaseConnection(7);
          hooks.started.open();
          await hooks.finish.passed;
          return 'late';
        },
      }),
      tool({
        name: 'ask',
        description: 'asks first',
        input: z.object({}),
        ask: async (_args, ask) => (await ask({ sure: confirm('Sure?') })).sure,
        run: (_args, { answers }) => `answered ${JSON.stringify(answers)}`,
      }),
      tool({
        name: 'deploy',
        description: 'has parameters in headers',
        input: z.object({
          region: z.string().meta({ 'x-mcp-header': 'Region' }).optional(),
          count: z.int().meta({ 'x-mcp-header': 'Count' }).optional(),
          dry: z.boolean().meta({ 'x-mcp-header': 'Dry' }).optional(),
        }),
        run: () => 'deployed',
      }),
    ],
    resources: [resource({ uri: 'test://a', name: 'a', read: () => 'text of a' })],
    watch: async (_uri, _context, changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    onError: () => {},
  });
  return { ...hooks, server };
}

/** Returns a listening server that ends with the test. */
export async function listen(
  server: Server,
  options: Partial<ServeHttpOptions> = {},
): Promise<ListeningHttp> {
  const listening = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => listening.close(0));
  return listening;
}

const usual = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Starts a request; returns the response while its body may still arrive. */
export function begin({ port }: { port: number }, { method = 'POST', path = '/mcp', headers, body }: Asking) {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...usual, ...headers })) {
    if (value !== undefined) given[name] = value;
  }
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: given, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  response.catch(() => {
    // the test that waits for it gets the error
  });
  request.end(body);
  onTestFinished(() => void request.destroy());
  return { request, response };
}

/** Returns the whole response to a request. */
export async function ask(to: { port: number }, asking: Asking): Promise<Answer> {
  const response = await begin(to, asking).response;
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const isJson = (response.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Message) : {},
    events: eventsOf(text),
  };
}

/** Yields the events of a stream. */
export async function* readEvents(response: IncomingMessage): AsyncGenerator<ServerEvent, undefined> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield* eventsOf(text.slice(0, end + 2));
      text = text.slice(end + 2);
    }
  }
  return undefined;
}

/** Returns the next event of a stream; fails when the stream has ended. */
export async function nextEvent(events: AsyncGenerator<ServerEvent, undefined>): Promise<ServerEvent> {
  const { value } = await events.next();
  if (value === undefined) throw new Error('the stream ended');
  return value;
}

/** Returns the next message of a stream. */
export async function nextMessage(events: AsyncGenerator<ServerEvent, undefined>): Promise<Message> {
  for (;;) {
    const { data } = await nextEvent(events);
    if (data !== undefined && data !== '') return JSON.parse(data) as Message;
  }
}

function eventsOf(text: string): ServerEvent[] {
  const events: ServerEvent[] = [];
  for (const block of text.split('\n\n')) {
    const event: ServerEvent = {};
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^(id|data|retry|): ?(.*)$/.exec(line) ?? [];
      if (field === '') event.comment = value;
      else if (field !== undefined) event[field as 'id' | 'data' | 'retry'] = value; // the pattern has no others
    }
    if (Object.keys(event).length > 0) events.push(event);
  }
  return events;
}

/** Returns the JSON text of a request of the handshake era. */
export function call(id: number | string, method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
}

/** Starts a session and returns the headers of its requests. */
export async function initialize(
  to: { port: number },
  revision: string,
  { capabilities = {}, headers = {} }: { capabilities?: object; headers?: Record<string, string> } = {},
): Promise<Record<string, string>> {
  const params = {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'tester', version: '1.0.0' },
  };
  const { headers: answered, json } = await ask(to, { headers, body: call(0, 'initialize', params) });
  const id = answered['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`no session: ${JSON.stringify(json)}`);
  return { ...headers, 'Mcp-Session-Id': id, 'MCP-Protocol-Version': revision };
}

/** Returns a request of the stateless era, with its headers. */
export function stateless(
  id: number | string,
  method: string,
  params: Message = {},
  { capabilities = {}, meta = {}, headers = {} }: StatelessExtras = {},
): Asking {
  const name = (params.name ?? params.uri) as string | undefined;
  return {
    headers: {
      'MCP-Protocol-Version': STATELESS,
      'Mcp-Method': method,
      ...(name !== undefined && method !== 'subscriptions/listen' && { 'Mcp-Name': name }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': STATELESS,
          'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta,
        },
      },
    }),
  };
}

interface StatelessExtras {
  capabilities?: object;
  meta?: object;
  headers?: Record<string, string | undefined>;
}
