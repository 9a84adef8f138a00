import { http, sse, streams, type Transport } from '../../src/client.ts';
import type { Server } from '../../src/index.ts';
import { socket } from '../../src/socket.ts';
import { serveMemory } from '../../src/testing.ts';
import { webSocket } from '../../src/ws.ts';
import { ask, call, initialize, listen } from '../http/wire.ts';
import { Places } from '../socket/places.ts';
import { Site } from '../sse/client.ts';
import { Conversation } from '../wire/conversation.ts';
import { shakeHands } from '../wire/matrix.ts';
import type { Message } from '../wire/message.ts';
import { Sockets } from '../ws/raw.ts';

/** The revision with batches. */
export const REVISION = '2025-03-26';
const places = new Places();
const site = new Site();
const sockets = new Sockets();

/** A client of one transport after its handshake, and another client of the same server. */
export interface Two {
  /** sends a text; returns the response, or over HTTP the error with its status */
  say(text: string): Promise<Message>;
  /** true if errors of messages have an HTTP status */
  readonly status: boolean;
  other: Transport;
}

export const kinds: Readonly<Record<string, (server: Server) => Promise<Two>>> = {
  memory: async (server) => {
    const talk = new Conversation(serveMemory(server), REVISION);
    await shakeHands(talk, REVISION, {});
    return { say: sayTo(talk), status: false, other: streams(() => serveMemory(server)) };
  },
  'a Unix socket': (server) => overSocket(server, 'unix'),
  'a TCP port': (server) => overSocket(server, 'tcp'),
  WebSocket: async (server) => {
    const { url } = await sockets.serve(server);
    const client = await sockets.open(url);
    const say = async (text: string): Promise<Message> => {
      client.say(text);
      return client.message();
    };
    await say(call('init', 'initialize', introduction));
    return { say, status: false, other: webSocket(url) };
  },
  'HTTP+SSE': async (server) => {
    const listening = await site.serve(server);
    const client = await site.open(listening, REVISION);
    client.checks = false;
    await client.introduce();
    const say = async (text: string): Promise<Message> => {
      const { status, body } = await client.say(text);
      return status === 202 ? client.message() : { status, ...JSON.parse(body) };
    };
    return { say, status: true, other: sse(`${listening.origin}/sse`) };
  },
  'Streamable HTTP': async (server) => {
    const listening = await listen(server);
    const headers = await initialize(listening, REVISION);
    const say = async (body: string): Promise<Message> => {
      const { status, json } = await ask(listening, { headers, body });
      return status === 200 ? json : { status, ...json };
    };
    return { say, status: true, other: http(listening.url) };
  },
};

const introduction = {
  protocolVersion: REVISION,
  capabilities: {},
  clientInfo: { name: 'tester', version: '1.0.0' },
};

/** Sends a text that the test does not parse: that would cost more than the server's work. */
function sayTo(talk: Conversation): Two['say'] {
  return (text) => {
    talk.write(`${text}\n`);
    return talk.next();
  };
}

async function overSocket(server: Server, kind: 'unix' | 'tcp'): Promise<Two> {
  const listener = await places.serve(server, places.address(kind));
  const talk = await places.talk(listener, REVISION);
  await shakeHands(talk, REVISION, {});
  return { say: sayTo(talk), status: false, other: socket(listener.address) };
}
