import type { Params } from '../../jsonrpc/message.ts';
import { presented } from '../presented.ts';
import type { Talk } from './talk.ts';
import type { Answer } from './wire.ts';

/** How this client presents itself in a handshake. */
export function greetingParams(revision: string): Params {
  return { protocolVersion: revision, capabilities: {}, clientInfo: presented };
}

/** Says hello as the era wants it. */
export async function greet(talk: Talk): Promise<Answer> {
  if (talk.era === 'stateless') return talk.ask('server/discover');
  const greeting = await talk.ask('initialize', greetingParams(talk.revision));
  if (greeting.result !== undefined) await talk.tell('notifications/initialized');
  return greeting;
}

/** Whether a server has the revision of a conversation, by its answer to the greeting. */
export async function isSpoken(talk: Talk, { result }: Answer): Promise<boolean> {
  if (talk.era === 'handshake') {
    const version = result?.protocolVersion;
    return result !== undefined && (typeof version !== 'string' || version === talk.revision);
  }
  if (result !== undefined) return true;
  // a stateless server without its greeting still answers as only those of its era do
  return typeof (await talk.ask('tools/list')).result?.resultType === 'string';
}
