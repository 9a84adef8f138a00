import { spawn } from 'node:child_process';
import type { Revision } from '../schema/official.ts';
import { capabilitiesKey, claimKey, clientKey, type Id, type Message } from './message.ts';
import type { ServerProcess } from './server-process.ts';
import { cli, type Servers } from './servers.ts';

export interface StartOptions {
  /** whether it gets its own process group, so that a signal reaches all processes */
  group?: boolean;
}

/** Starts the built server and resolves once it runs; the test acts as the client. */
export async function start(
  servers: Servers,
  args: readonly string[],
  { group = false }: StartOptions = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'pipe', detached: group });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return servers.add(child);
}

export function request(id: Id, method: string, params: Record<string, unknown> = {}): Message & { id: Id } {
  return { jsonrpc: '2.0', id, method, params };
}

export function notification(method: string, params: Record<string, unknown> = {}): Message {
  return { jsonrpc: '2.0', method, params };
}

export function initialize(revision: Revision, capabilities: object = {}, id: Id = 0): Message & { id: Id } {
  const clientInfo = { name: 'wire', version: '1.0.0' };
  return request(id, 'initialize', { protocolVersion: revision, capabilities, clientInfo });
}

export const initialized = notification('notifications/initialized');

/** `_meta` of each request of the stateless era. */
export const envelope = {
  [claimKey]: '2026-07-28',
  [clientKey]: { name: 'wire', version: '1.0.0' },
  [capabilitiesKey]: {},
};

export function stateless(
  id: Id,
  method: string,
  params: Record<string, unknown> = {},
): Message & { id: Id } {
  return request(id, method, { ...params, _meta: envelope });
}

export function call(id: Id, name: string, args: object, meta?: object): Message & { id: Id } {
  const params = { name, arguments: args, ...(meta !== undefined && { _meta: meta }) };
  return request(id, 'tools/call', params);
}

/** Returns the text of a tool's result. */
export function textOf({ result }: Message): string {
  const content = (result?.content ?? []) as { text?: string }[]; // an array by the schema
  return content.map(({ text }) => text).join('\n');
}
