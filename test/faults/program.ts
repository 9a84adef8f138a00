import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, ToolError, template, tool } from '@rootbound/protocol';
import { serveHttp } from '@rootbound/protocol/http';
import { serveSocket } from '@rootbound/protocol/socket';
import { sseRoutes } from '@rootbound/protocol/sse';
import { serveStdio } from '@rootbound/protocol/stdio';
import { webSocketEndpoint } from '@rootbound/protocol/ws';
import * as z from 'zod';
import type { Announcement, Order, Place } from './orders.ts';

// a server that logs every call before it answers, and that may be killed at any moment
const place = JSON.parse(process.argv[2] ?? '') as Place; // the test passes exactly this
const held: (() => void)[] = [];
const watched = new Map<string, Set<() => void>>();
const connections = new Set<Socket>();
const filler = 'aé€😀';

subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket }; // documented by node:net
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});

const record = (line: string): void => appendFileSync(join(place.folder, 'ledger'), `${line}\n`);

const server = createServer({
  name: 'faulty',
  version: '1.0.0',
  listChanges: { tools: true, prompts: true },
  listHints: { ttlMs: 0, cacheScope: 'private' },
  prompts: [],
  watch: async (uri, _context, changed) => {
    const listeners = watched.get(uri) ?? new Set();
    watched.set(uri, listeners.add(changed));
    return () => listeners.delete(changed);
  },
  resources: [
    template({
      uriTemplate: 'memo://{name}',
      name: 'memo',
      read: (_uri, _context, { name = '' }) => readFileSync(join(place.folder, `memo-${name}`), 'utf8'),
    }),
  ],
  tools: [
    tool({
      name: 'act',
      description: 'Does something that must not be done twice.',
      input: z.object({
        id: z.string(),
        size: z.number().default(0),
        steps: z.number().default(0),
        hold: z.boolean().default(false),
        poll: z.boolean().default(false),
        bytesToLive: z.number().optional(),
      }),
      run: async ({ id, size, steps, hold, poll, bytesToLive }, context) => {
        record(`act ${id}`);
        if (bytesToLive !== undefined) liveFor(bytesToLive);
        for (let step = 1; step <= steps; step++) {
          context.log('info', `${id} ${step}`);
          if (poll) context.releaseConnection(0);
          await new Promise(setImmediate);
        }
        if (hold) {
          await new Promise<void>((go, stop) => {
            held.push(go);
            context.signal.addEventListener('abort', () => stop(new ToolError('nobody waits any more')));
          });
        }
        return `${id}:${filler.repeat(size)}`;
      },
    }),
    tool({
      name: 'look',
      description: 'Looks at something.',
      input: z.object({ id: z.string() }),
      annotations: { readOnlyHint: true },
      run: ({ id }) => {
        record(`look ${id}`);
        return `${id}:`;
      },
    }),
  ],
});

/** Exits the process after this number of further bytes of standard output. */
function liveFor(bytes: number): void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as (...args: unknown[]) => boolean; // one of its overloads
  let left = bytes;
  stdout.write = (...args: unknown[]): boolean => {
    const chunk = Buffer.from(args[0] as string); // or bytes, which Buffer.from accepts
    if (chunk.length < left) {
      left -= chunk.length;
      return write(...args);
    }
    writeSync(1, chunk.subarray(0, left));
    process.kill(process.pid, 'SIGKILL');
    return true;
  };
}

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'touch':
      for (const uri of order.uris) for (const changed of watched.get(uri) ?? []) changed();
      return undefined;
    case 'change':
      server.listChanged(order.list);
      return undefined;
    case 'release':
      for (const go of held.splice(0)) go();
      return undefined;
    case 'count':
      return {
        held: held.length,
        unsent: [...connections].reduce((sum, { writableLength }) => sum + writableLength, 0),
      };
    case 'rest':
      await new Promise((resolve) => setTimeout(resolve, order.milliseconds));
      return undefined;
    case 'measure': {
      for (let i = 0; i < 3; i++) {
        globalThis.gc?.();
        await new Promise(setImmediate);
      }
      // not the resident set: the memory that allocators keep after a free differs between Node versions
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    }
    default:
      return order satisfies never;
  }
}

async function listen(): Promise<void> {
  if (place.socket !== undefined) await serveSocket(server, { path: place.socket }, place.limits);
  if (place.port === undefined) return;
  const routes = sseRoutes(server, place.limits);
  const { handler, listener } = await serveHttp(server, {
    port: place.port,
    sessionCap: 20_000,
    mounts: [routes.route],
    ...place.limits,
  });
  const sockets = webSocketEndpoint(server, { guard: handler.guard, ...place.limits });
  listener.on('upgrade', (request, socket, head) => {
    if (!sockets.upgrade(request, socket, head)) socket.destroy();
  });
}

if (place.port === undefined && place.socket === undefined) serveStdio(server);
await listen();
const control = connect(place.control);
control.unref();
const say = (words: unknown): void => void control.write(`${JSON.stringify(words)}\n`);
// exits with the test
control.on('error', () => process.exit(1)).on('close', () => process.exit(1));
say({ pid: process.pid } satisfies Announcement);
for await (const line of createInterface({ input: control })) {
  say({ answer: (await obey(JSON.parse(line) as Order)) ?? null }); // the test sends nothing else
}
