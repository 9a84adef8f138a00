import { type Channel, streams } from '../../src/client.ts';
import { type HttpCall, HttpWire } from '../../src/inspect/check/http-wire.ts';
import { StdioWire } from '../../src/inspect/check/stdio-wire.ts';
import type { HttpReply, Wire } from '../../src/inspect/check/wire.ts';
import type { JsonText } from '../../src/jsonrpc/message.ts';
import { serveMemory } from '../../src/testing.ts';
import { fixtureServer } from '../wire/fixture.ts';

/** A parsed JSON message, which may be invalid. */
export type Loose = ReturnType<typeof JSON.parse>;

/** Returns the changed messages of the server for one: one, several, or invalid texts. */
export type Corrupt = (message: Loose, request: Loose) => unknown;
/** Returns additional messages of the server for a message of the client. */
export type Intrude = (message: Loose) => readonly unknown[];

/** Returns a connection to the fixture on which the server's messages are changed. */
export async function corrupted(
  corrupt: Corrupt = (message) => message,
  intrude: Intrude = () => [],
): Promise<Wire> {
  const channel = await streams(() => serveMemory(fixtureServer())).open();
  const requests = new Map<unknown, Loose>();
  let hear: (text: string) => void = () => {};
  const tell = (changed: unknown): void => {
    for (const one of Array.isArray(changed) ? changed : [changed])
      if (one !== undefined) hear(typeof one === 'string' ? one : JSON.stringify(one));
  };
  const wrapped: Channel = {
    start(events) {
      hear = (text) => events.message(text);
      channel.start({
        ...events,
        closed: (reason) => events.closed(reason),
        message: (text) => {
          const message: Loose = JSON.parse(text);
          tell(corrupt(message, requests.get(message.id) ?? {}));
        },
      });
    },
    send(text: JsonText) {
      const message = parsed(String(text));
      if (message?.method !== undefined) requests.set(message.id, message);
      tell(intrude(message ?? {}));
      channel.send(text);
    },
    drained: () => channel.drained(),
    close: () => channel.close(),
  };
  return StdioWire.over(wrapped);
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    // invalid messages are sent on purpose
    return undefined;
  }
}

/** A connection to an HTTP server on which calls and replies are changed. */
export class CorruptedHttp extends HttpWire {
  before: (call: HttpCall) => HttpCall = (call) => call;
  after: (reply: HttpReply, call: HttpCall) => HttpReply = (reply) => reply;
  /** the session id that replaces the real one */
  renamed: string | undefined;
  #name: string | undefined;
  looked: Awaited<ReturnType<HttpWire['peek']>> | undefined;

  override async call(call: HttpCall): Promise<HttpReply> {
    const { fields } = call;
    const isOurs = this.renamed !== undefined && fields['mcp-session-id'] === this.renamed;
    const sent = isOurs ? { ...call, fields: { ...fields, 'mcp-session-id': this.#name } } : call;
    return this.after(this.#rename(await super.call(this.before(sent))), call);
  }

  #rename(reply: HttpReply): HttpReply {
    this.#name ??= reply.header('mcp-session-id');
    const { renamed } = this;
    if (renamed === undefined) return reply;
    return { ...reply, header: (name) => (name === 'mcp-session-id' ? renamed : reply.header(name)) };
  }

  override async peek(fields: HttpCall['fields']): ReturnType<HttpWire['peek']> {
    return this.looked ?? super.peek(fields);
  }
}
