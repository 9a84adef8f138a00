import { validateMessage } from '../../../../test/schema/validate.ts';
import type { Channel, ChannelEvents, Transport } from '../../src/client.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import type { Message } from '../wire/message.ts';

/** A transport that checks every message, in both directions, against the official schema of its revision. */
export class Tap implements Transport {
  readonly #transport: Transport;
  readonly #asked = { client: new Map<unknown, string>(), server: new Map<unknown, string>() };
  readonly faults: unknown[] = [];
  readonly sent: Message[] = [];
  readonly heard: Message[] = [];
  revision: Revision;

  constructor(transport: Transport, revision: Revision) {
    this.#transport = transport;
    this.revision = revision;
  }

  async open(): Promise<Channel> {
    const channel = await this.#transport.open();
    return {
      start: (events: ChannelEvents) =>
        channel.start({
          ...events,
          message: (text) => {
            this.#check('server', 'client', this.heard, text);
            events.message(text);
          },
        }),
      send: (text) => {
        this.#check('client', 'server', this.sent, String(text));
        channel.send(text);
      },
      drained: () => channel.drained(),
      close: () => channel.close(),
    };
  }

  #check(from: 'client' | 'server', to: 'client' | 'server', list: Message[], text: string): void {
    const message: Message = JSON.parse(text);
    list.push(message);
    for (const part of [message].flat()) {
      try {
        const answers = part.result === undefined ? undefined : this.#asked[to].get(part.id);
        validateMessage(this.revision, from, part, answers);
      } catch (error) {
        this.faults.push(error);
      }
      if (part.id !== undefined && part.method !== undefined) this.#asked[from].set(part.id, part.method);
    }
  }
}
