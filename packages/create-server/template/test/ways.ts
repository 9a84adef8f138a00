import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Client,
  type ClientOptions,
  childProcess,
  connect,
  http,
  streams,
} from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { onTestFinished } from 'vitest';
import { createNotesServer } from '../src/server.ts';

const program = join(import.meta.dirname, '..', 'dist', 'cli.js');
const ways = ['memory', 'stdio', 'http'] as const;
const eras = ['handshake', 'stateless'] as const;
type Transport = Parameters<typeof connect>[0];

/** How a client reaches the server, and in which era of the protocol. */
export const everyWay = ways.flatMap((way) => eras.map((era) => ({ way, era })));

export type Way = (typeof everyWay)[number];

/** A client of a new server, until the test has finished. */
export async function open({ way, era }: Way, options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = await connect(await transportOf(way), {
    name: 'test',
    version: '1.0.0',
    timeout: 120_000,
    era: era === 'handshake' ? 'handshake' : { pinned: '2026-07-28' },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

async function transportOf(way: Way['way']): Promise<Transport> {
  if (way === 'memory') return streams(() => serveMemory(createNotesServer()));
  if (!existsSync(program)) throw new Error('dist/cli.js is missing; run the build first');
  if (way === 'stdio') return childProcess({ command: process.execPath, args: [program] });
  return http(await listening());
}

/** Starts the server over HTTP and gives its address. */
async function listening(): Promise<string> {
  const child = spawn(process.execPath, [program, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface(child.stderr)) {
    const url = /^listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened');
}
