import type { Params } from '../../jsonrpc/message.ts';
import { clientInfo } from '../client-info.ts';
import type { Talk } from './talk.ts';
import type { Answer } from './wire.ts';

/** Returns the params of `initialize`. */
export function greetingParams(revision: string): Params {
  return { protocolVersion: revision, capabilities: {}, clientInfo: clientInfo };
}

/** Sends `initialize` or `server/discover`. */
export async function greet(talk: Talk): Promise<Answer> {
  if (talk.era === 'stateless') return talk.ask('server/discover');
  const greeting = await talk.ask('initialize', greetingParams(talk.revision));
  if (greeting.result !== undefined) await talk.notify('notifications/initialized');
  return greeting;
}

/** Returns true if a server supports the revision of a talk, by its first response. */
export async function isSupported(talk: Talk, { result }: Answer): Promise<boolean> {
  if (talk.era === 'handshake') {
    const version = result?.protocolVersion;
    return result !== undefined && (typeof version !== 'string' || version === talk.revision);
  }
  if (result !== undefined) return true;
  // a stateless server without server/discover still sends results with resultType
  return typeof (await talk.ask('tools/list')).result?.resultType === 'string';
}
