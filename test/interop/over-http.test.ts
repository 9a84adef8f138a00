import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server as Listener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { cli } from './servers.ts';
import { everyTool } from './tools.ts';
import { uriOf, Workspace } from './workspace.ts';

/** The used part of the official clients, whose own types differ between versions. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: object): Promise<{ isError?: boolean; content: { text?: string }[] }>;
  subscribeResource?(params: object): Promise<unknown>;
  setNotificationHandler?(schema: unknown, handler: (message: { params: { uri: string } }) => void): void;
}
type ClientClass = new (info: object, options: object) => OfficialClient;
type TransportClass = new (url: URL, options?: object) => object;

interface Way {
  name: string;
  /** the path of the server for the transport */
  path: string;
  open(
    url: URL,
    options?: object,
  ): Promise<{ client: OfficialClient; updated(wanted: string): Promise<void> }>;
}

const sdk = (folder: string, version: string, module: string, transport: string, path: string): Way => ({
  name: `SDK ${version} by ${transport}`,
  path,
  async open(url, options) {
    const { Client } = (await import(`${folder}/client/index.js`)) as { Client: ClientClass };
    const transports = (await import(`${folder}/client/${module}.js`)) as Record<string, TransportClass>;
    const types = (await import(`${folder}/types.js`)) as { ResourceUpdatedNotificationSchema: unknown };
    const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities: {} });
    await client.connect(new transports[transport]!(url, options));
    return {
      client,
      async updated(wanted) {
        const heard = new Promise<void>((resolve) => {
          client.setNotificationHandler?.(types.ResourceUpdatedNotificationSchema, ({ params }) => {
            if (params.uri === wanted) resolve();
          });
        });
        await client.subscribeResource?.({ uri: wanted });
        return heard;
      },
    };
  },
});

/** Runs work with a browser class on the global object, from which a client takes it. */
function withGlobal(name: 'EventSource' | 'WebSocket', way: Way): Way {
  return {
    ...way,
    async open(url, options) {
      const value =
        name === 'WebSocket' ? (await import('ws')).WebSocket : (await import('eventsource')).EventSource;
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true });
      onTestFinished(() => {
        if (before === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, before);
      });
      return way.open(url, options);
    },
  };
}

const HTTP = 'StreamableHTTPClientTransport';
const ways: readonly Way[] = [
  withGlobal('EventSource', sdk('sdk-2024-11-05', '1.0.4', 'sse', 'SSEClientTransport', '/sse')),
  sdk('sdk-2025-03-26', '1.12.3', 'streamableHttp', HTTP, '/mcp'),
  sdk('sdk-2025-06-18', '1.17.5', 'streamableHttp', HTTP, '/mcp'),
  sdk('sdk-2025-11-25', '1.32.2', 'streamableHttp', HTTP, '/mcp'),
  sdk('sdk-2025-11-25', '1.32.2', 'sse', 'SSEClientTransport', '/sse'),
];

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace.remove());

interface Running {
  child: ChildProcess;
  /** of the server, without a path */
  base: string;
  stderr(): string;
}

/** Starts the built server with these options; resolves when it prints its address. */
async function start(...options: string[]): Promise<Running> {
  const child = spawn(process.execPath, [cli, '--http', '0', ...options, workspace.root], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  const base = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += String(bytes);
      const [, found] = /^listening on (http:\S+)\/mcp$/m.exec(stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`it ended: ${stderr}`)));
  });
  return { child, base, stderr: () => stderr };
}

async function ended({ child }: Running): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe.each(ways)('$name', ({ path, open }) => {
  test('a third-party client lists, calls, gets an error and is notified of a change', async () => {
    const server = await start('--sse');
    const { client, updated } = await open(new URL(server.base + path));
    const { tools } = await client.listTools();
    expect(tools.length).toBe(everyTool(workspace).length);
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: workspace.notes } });
    expect(read.content[0]?.text).toBe('alpha\nbeta\n');
    const outside = await client.callTool({ name: 'read_text_file', arguments: { path: workspace.secret } });
    expect([outside.isError, JSON.stringify(outside).includes('the secret')]).toEqual([true, false]);
    const heard = updated(uriOf(workspace.notes));
    // written repeatedly until the notification, since the client does not report that its stream is open
    const writing = setInterval(() => writeFileSync(workspace.notes, `${Math.random()}`), 20);
    await heard.finally(() => clearInterval(writing));
    await client.close();
    expect(await ended(server)).toBe(0);
    expect(server.stderr()).toBe(`listening on ${server.base}/mcp\n`);
  });
});

test('SDK client 2.4.0 works without a session over HTTP', async () => {
  const { Client, StreamableHTTPClientTransport } = (await import(
    '@modelcontextprotocol/client'
  )) as unknown as {
    Client: ClientClass;
    StreamableHTTPClientTransport: TransportClass;
  };
  const server = await start();
  const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`)));
  expect((await client.listTools()).tools.length).toBe(everyTool(workspace).length);
  const read = await client.callTool({ name: 'read_text_file', arguments: { path: workspace.notes } });
  expect(read.content[0]?.text).toBe('alpha\nbeta\n');
  await client.close();
  expect(await ended(server)).toBe(0);
});

test('SDK 1.32.2 works over WebSocket', async () => {
  const server = await start('--ws');
  const transport = 'WebSocketClientTransport';
  const way = withGlobal('WebSocket', sdk('sdk-2025-11-25', '1.32.2', 'websocket', transport, '/ws'));
  const { client } = await way.open(new URL(`${server.base.replace('http', 'ws')}/ws`));
  expect((await client.listTools()).tools.length).toBe(everyTool(workspace).length);
  const read = await client.callTool({ name: 'read_text_file', arguments: { path: workspace.notes } });
  expect(read.content[0]?.text).toBe('alpha\nbeta\n');
  await client.close();
  expect(await ended(server)).toBe(0);
});

test('SSE and WebSocket are served only with their options', async () => {
  const server = await start();
  expect((await fetch(`${server.base}/sse`)).status).toBe(404);
  expect((await fetch(`${server.base}/messages`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${server.base}/healthz`)).status).toBe(200);
});

test('a used port and an invalid host fail with one line', async () => {
  const server = await start();
  const { port } = new URL(server.base);
  for (const [address, line] of [
    [port, `port ${port} of 127.0.0.1 is in use; choose another, or 0 for a free one\n`],
    ['127.0.0.1:70000', /--http wants a port/],
  ] as const) {
    const child = spawn(process.execPath, [cli, '--http', address, workspace.root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += String(bytes);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(stderr).toMatch(line);
    expect([code !== 0, stderr.trimEnd().includes('\n')]).toEqual([true, false]);
  }
});

/** An authorization server's keys, and tokens signed with them. */
async function issuer(): Promise<{
  url: string;
  keys: string;
  token(audience: string, scope: string): Promise<string>;
}> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  const listener: Listener = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void listener.close());
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const keys = join(workspace.base, 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [jwk] }));
  return {
    url,
    keys,
    token: (audience, scope) =>
      new SignJWT({ scope, client_id: 'interop' })
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
        .setIssuer(url)
        .setSubject('ann')
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('5 minutes')
        .sign(privateKey),
  };
}

test('with --auth-issuer only valid tokens are accepted, and the error names the authorization server', async () => {
  const { url, keys, token } = await issuer();
  const audience = 'https://files.example/mcp';
  const server = await start(
    '--auth-issuer',
    url,
    '--auth-audience',
    audience,
    '--auth-jwks',
    keys,
    '--auth-scopes',
    'files',
  );
  const refused = await fetch(`${server.base}/mcp`, { method: 'POST', body: '{}' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(
    /^Bearer .*resource_metadata="https:\/\/files\.example/,
  );
  const [way] = ways.slice(3);
  const use = async (bearer: string) => {
    const requestInit = { headers: { Authorization: `Bearer ${bearer}` } };
    const { client } = await way!.open(new URL(`${server.base}/mcp`), { requestInit });
    const { tools } = await client.listTools();
    await client.close();
    return tools.length;
  };
  expect(await use(await token(audience, 'files'))).toBe(everyTool(workspace).length);
  await expect(use(await token('https://other.example', 'files'))).rejects.toThrow();
  await expect(use(await token(audience, 'other'))).rejects.toThrow();
  expect(server.stderr()).not.toContain('eyJ');
  expect(await ended(server)).toBe(0);
});
