import { join } from 'node:path';
import {
  type Client,
  type ClientOptions,
  childProcess,
  connect,
  http,
  sse,
  type Transport,
} from '@rootbound/protocol/client';
import { socket } from '@rootbound/protocol/socket';
import { webSocket } from '@rootbound/protocol/ws';
import { type Fault, FaultProxy, type Place } from './proxy.ts';
import type { Site } from './site.ts';

type Kind = 'stdio' | 'socket' | 'ws' | 'sse' | 'http';

/** A transport between client and server in one mode. */
export interface Way {
  readonly name: string;
  readonly kind: Kind;
  readonly options: Pick<ClientOptions, 'era' | 'revision'>;
}

const stateless = { era: { pinned: '2026-07-28' } } as const;
const handshake = { era: 'handshake' } as const;

/** All transports in all modes. */
export const ways: readonly Way[] = [
  { name: 'stdio, handshake', kind: 'stdio', options: handshake },
  { name: 'stdio, stateless', kind: 'stdio', options: stateless },
  { name: 'Unix socket, handshake', kind: 'socket', options: handshake },
  { name: 'Unix socket, stateless', kind: 'socket', options: stateless },
  { name: 'WebSocket, handshake', kind: 'ws', options: handshake },
  { name: 'WebSocket, stateless', kind: 'ws', options: stateless },
  { name: 'HTTP+SSE', kind: 'sse', options: { ...handshake, revision: '2024-11-05' } },
  { name: 'HTTP sessions of 2025-06-18', kind: 'http', options: { ...handshake, revision: '2025-06-18' } },
  { name: 'HTTP sessions of 2025-11-25', kind: 'http', options: handshake },
  { name: 'stateless HTTP', kind: 'http', options: stateless },
];

/** The transports that allow a proxy. */
export const proxied = ways.filter(({ kind }) => kind !== 'stdio');

export function wayNamed(name: string): Way {
  return ways.find((way) => way.name === name)!; // a name of the table
}

/** Options with minimal delays between attempts, and long timeouts for a busy machine. */
const ATTEMPTS = 100_000;
const reopen = { attempts: ATTEMPTS, delay: 2 };
const reconnect = { attempts: ATTEMPTS, delay: 2, maxDelay: 2 };

/** Returns a fault for the answer to a call: on the connection of the call, of answers, or on the only one. */
export function answerFault({ kind }: Way, id: string): Pick<Fault, 'marker' | 'last'> {
  if (kind === 'http') return { marker: id };
  return kind === 'sse' ? { last: 'GET /sse' } : {};
}

/** Returns a fault for a call on its way to the server, and for no other data of its client. */
export function requestFault({ kind }: Way, id: string): Pick<Fault, 'marker'> {
  return kind === 'http' || kind === 'sse' ? { marker: id } : {};
}

let proxies = 0;

/** Creates a proxy in front of a transport's server. */
export async function proxyFor({ kind }: Way, site: Site): Promise<{ proxy: FaultProxy; at: Place }> {
  const proxy = new FaultProxy(() =>
    kind === 'socket' ? { path: site.socket } : { port: site.port, host: '127.0.0.1' },
  );
  proxies += 1;
  const at = await proxy.listen(
    kind === 'socket' ? { path: join(site.folder, `proxy-${proxies}`) } : undefined,
  );
  return { proxy, at };
}

/** Creates a transport, through a proxy if there is one. */
export function transportOf({ kind }: Way, site: Site, at: Place | undefined): Transport {
  const port = at !== undefined && 'port' in at ? at.port : site.port;
  switch (kind) {
    case 'stdio':
      return childProcess({ ...site.command, stderr: 'ignore', endGrace: 100 });
    case 'socket':
      return socket(at !== undefined && 'path' in at ? at : { path: site.socket });
    case 'ws':
      return webSocket(`ws://127.0.0.1:${port}/ws`);
    case 'sse':
      return sse(`http://127.0.0.1:${port}/sse`);
    case 'http':
      return http(`http://127.0.0.1:${port}/mcp`, { reconnect });
    default:
      return kind satisfies never;
  }
}

/** Connects a client that reconnects without reports. */
export function connectTo(
  transport: Transport,
  way: Way,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  return connect(transport, {
    name: 'caller',
    version: '1.0.0',
    timeout: 120_000,
    logLevel: 'debug',
    reopen,
    onError: () => {},
    ...way.options,
    ...options,
  });
}
