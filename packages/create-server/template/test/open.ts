import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
import { createNotesServer, tools } from '../src/server.ts';

const program = join(import.meta.dirname, '..', 'dist', 'cli.js');
const transports = ['memory', 'stdio', 'http'] as const;
// handshake: clients up to 2025-11-25, with initialize; stateless: from 2026-07-28 on
const eras = ['handshake', 'stateless'] as const;

/** Each transport with each era of the protocol. */
export const connections = transports.flatMap((transport) => eras.map((era) => ({ transport, era })));
export type Connection = (typeof connections)[number];

/** A client of a new server, with a folder of notes. */
export interface Opened {
  client: Client;
  folder: string;
  read(name: string): string;
  save(name: string, text: string): void;
}

/** Starts a server for one test and connects a client to it. */
export async function open(
  { transport, era }: Connection,
  options: Partial<ClientOptions> = {},
): Promise<Opened> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'notes-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'notes');
  mkdirSync(folder);
  const save = (name: string, text: string): void => writeFileSync(join(folder, `${name}.md`), text);
  save('welcome', 'Hello.');
  const client = await connect(await transportTo(transport, folder), {
    name: 'test',
    version: '1.0.0',
    timeout: 120_000,
    era: era === 'handshake' ? 'handshake' : { pinned: '2026-07-28' },
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, folder, save, read: (name) => readFileSync(join(folder, `${name}.md`), 'utf8') };
}

async function transportTo(
  transport: Connection['transport'],
  folder: string,
): Promise<Parameters<typeof connect>[0]> {
  if (transport === 'memory') {
    const { server, close } = createNotesServer({
      roots: [{ path: folder, readOnly: false }],
      readOnly: false,
      tools: tools.map(({ name }) => name),
      clientRoots: 'narrow',
      maxOutput: 100_000,
    });
    onTestFinished(close);
    return streams(() => serveMemory(server));
  }
  if (!existsSync(program)) throw new Error('dist/cli.js is missing: run npm run build first');
  if (transport === 'stdio') return childProcess({ command: process.execPath, args: [program, folder] });
  return http(await addressOf(folder));
}

/** Starts the program over HTTP and returns the address that it prints. */
async function addressOf(folder: string): Promise<string> {
  const args = [program, '--http', '0', folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface(child.stderr)) {
    const url = /^listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened');
}
