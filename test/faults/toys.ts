import {
  type Channel,
  type ChannelEvents,
  ConnectionError,
  type Transport,
} from '@rootbound/protocol/client';

/** Wraps a transport with channels that behave differently. */
function altered(transport: Transport, alter: (channel: Channel) => Partial<Channel>): Transport {
  return {
    ...transport,
    open: async () => {
      const channel = await transport.open();
      return {
        start: (events) => channel.start(events),
        send: (text, message) => channel.send(text, message),
        drained: () => channel.drained(),
        close: () => channel.close(),
        settle: (revision) => channel.settle?.(revision),
        abandon: (id) => channel.abandon?.(id) ?? false,
        inspect: (method, result) => channel.inspect?.(method, result) ?? result,
        again: (message, error, attempt) => channel.again?.(message, error, attempt),
        ...alter(channel),
      };
    },
  };
}

function hearing(transport: Transport, alter: (events: ChannelEvents) => Partial<ChannelEvents>): Transport {
  return altered(transport, (channel) => ({
    start: (events) =>
      channel.start({
        message: (text) => events.message(text),
        fault: (error) => events.fault(error),
        closed: (reason) => events.closed(reason),
        answer: (id, text) => events.answer(id, text),
        failed: (id, error) => events.failed(id, error),
        waits: (id) => events.waits(id),
        heldUp: (id, until) => events.heldUp(id, until),
        renewed: () => events.renewed(),
        missed: () => events.missed(),
        ...alter(events),
      }),
  }));
}

/** Transports of clients with one fault each. */
export const toys = {
  /** repeats a call whose answer was lost */
  eager: (transport: Transport): Transport =>
    altered(transport, () => ({
      again: (_message, error, attempt) =>
        error instanceof ConnectionError && attempt < 3 ? { after: 0, attempt: attempt + 1 } : undefined,
    })),
  /** ignores that an answer will not arrive */
  deaf: (transport: Transport): Transport =>
    hearing(transport, () => ({ closed: () => {}, failed: () => {} })),
  /** swaps the answers of two calls */
  crossed: (transport: Transport): Transport =>
    hearing(transport, (events) => {
      const held: string[] = [];
      const idIn = (text: string): string => /"id":(\d+)/.exec(text)?.[0] ?? '';
      return {
        message: (text) => {
          if (!text.includes('call-')) {
            events.message(text);
            return;
          }
          held.push(text);
          if (held.length < 2) return;
          const [first = '', second = ''] = held.splice(0);
          events.message(first.replace(idIn(first), idIn(second)));
          events.message(second.replace(idIn(second), idIn(first)));
        },
      };
    }),
  /** receives every message twice */
  echoing: (transport: Transport): Transport =>
    hearing(transport, (events) => ({
      message: (text) => {
        events.message(text);
        events.message(text);
      },
    })),
  /** ignores the loss of its session */
  careless: (transport: Transport): Transport => hearing(transport, () => ({ renewed: () => {} })),
} as const;
