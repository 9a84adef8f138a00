import type { Channel, ChannelEvents, Transport } from '../client/transport.ts';
import type { JsonText } from '../jsonrpc/message.ts';
import type { Outbound } from '../jsonrpc/peer.ts';
import { namesSecret } from '../protocol/secret-names.ts';

/** Receives each message; `>` to the server, `<` from it. */
export type Tap = (direction: '>' | '<', text: string) => void;

/** Returns a transport that passes all messages to a tap. */
export function tapped(transport: Transport, tap: Tap): Transport {
  return {
    ...(transport.handshakeOnly !== undefined && { handshakeOnly: transport.handshakeOnly }),
    open: async () => new TappedChannel(await transport.open(), tap),
  };
}

class TappedChannel implements Channel {
  readonly #channel: Channel;
  readonly #tap: Tap;

  constructor(channel: Channel, tap: Tap) {
    this.#channel = channel;
    this.#tap = tap;
  }

  start(events: ChannelEvents): void {
    this.#channel.start({
      fault: (error) => events.fault(error),
      closed: (reason) => events.closed(reason),
      failed: (id, error) => events.failed(id, error),
      waits: (id) => events.waits(id),
      heldUp: (id, until) => events.heldUp(id, until),
      renewed: () => events.renewed(),
      missed: () => events.missed(),
      message: (text) => {
        this.#tap('<', text);
        events.message(text);
      },
      answer: (id, text) => {
        this.#tap('<', text);
        events.answer(id, text);
      },
    });
  }

  send(text: JsonText, message?: Outbound): void {
    this.#tap('>', textOf(text));
    this.#channel.send(text, message);
  }

  drained(): Promise<void> | undefined {
    return this.#channel.drained();
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  get credentials(): string | undefined {
    return this.#channel.credentials;
  }

  settle(...args: Parameters<NonNullable<Channel['settle']>>): void {
    this.#channel.settle?.(...args);
  }

  abandon(...args: Parameters<NonNullable<Channel['abandon']>>): boolean {
    return this.#channel.abandon?.(...args) ?? false;
  }

  inspect(...args: Parameters<NonNullable<Channel['inspect']>>): ReturnType<NonNullable<Channel['inspect']>> {
    return this.#channel.inspect?.(...args) ?? args[1];
  }

  again(...args: Parameters<NonNullable<Channel['again']>>): ReturnType<NonNullable<Channel['again']>> {
    return this.#channel.again?.(...args);
  }
}

function textOf(text: JsonText): string {
  if (typeof text === 'string') return text;
  const decoder = new TextDecoder();
  return text.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('');
}

/** Returns a `fetch` that passes the headers of requests and responses to a tap. */
export function tappedFetch(tap: Tap): typeof fetch {
  return async (input, init) => {
    const { method, url, headers } = new Request(input, { ...init, body: null });
    tap('>', `${method} ${url} ${renderHeaders(headers)}`.trimEnd());
    const response = await fetch(input, init);
    tap('<', `${response.status} ${renderHeaders(response.headers)}`.trimEnd());
    return response;
  };
}

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'mcp-session-id',
  'x-api-key',
]);

/** Returns headers on one line; of those that may contain a secret only the name. */
export function renderHeaders(headers: Iterable<readonly [string, string]>): string {
  return [...headers]
    .map(([name, value]) => {
      const isSecret = secretHeaders.has(name.toLowerCase()) || namesSecret(name);
      return `${name}: ${isSecret ? '[redacted]' : value}`;
    })
    .join('; ');
}
