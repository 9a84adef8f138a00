import { ConnectionError } from '../jsonrpc/errors.ts';
import type { Id, Params } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { metaKeys } from '../protocol/meta.ts';
import type * as t from '../protocol/types.ts';
import { changesOf, readChange } from './changes.ts';
import { AnswerError } from './errors.ts';
import type { ChangeListener, Subscription, Subscriptions } from './subscription.ts';
import { within } from './wait.ts';

interface Stream {
  readonly wanted: t.SubscriptionFilter;
  readonly listener: ChangeListener;
  readonly controller: AbortController;
  /** hears the first acknowledgement */
  readonly opened: () => void;
  /** what the server has agreed to, once it has */
  acknowledged: t.SubscriptionFilter | undefined;
  /** whether the request that is open now was acknowledged */
  open: boolean;
}

interface Listening {
  /** milliseconds that the acknowledgement may take */
  readonly timeout: number | undefined;
  listen(params: Params, sent: (id: Id) => void, signal: AbortSignal): Promise<unknown>;
  /** resolves when a connection that was lost is open again; undefined when it is not being opened */
  reopened(): Promise<void> | undefined;
  onError(error: Error): void;
}

/**
 * Subscriptions of the stateless era: one open `subscriptions/listen` request each, whose id tags what it tells.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class ListenSubscriptions implements Subscriptions {
  readonly #listening: Listening;
  readonly #streams = new Map<Id, Stream>();

  constructor(listening: Listening) {
    this.#listening = listening;
  }

  async open(wanted: t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription> {
    const controller = new AbortController();
    let opened: () => void = () => {};
    const acknowledged = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const stream: Stream = { wanted, listener, controller, opened, acknowledged: undefined, open: false };
    const ended = this.#follow(stream);
    const close = async (): Promise<void> => {
      controller.abort();
      await ended;
    };
    try {
      const { timeout } = this.#listening;
      const first = Promise.race([acknowledged, ended.then(refused)]);
      await within(first, 'the acknowledgement of a subscription', { timeout });
    } catch (error) {
      await close();
      throw error;
    }
    return {
      get acknowledged() {
        return stream.acknowledged ?? {};
      },
      refusals: [],
      ended,
      close,
    };
  }

  /** Hands a notification to the stream that its tag names; true when it was meant for one. */
  notified(method: string, params: Params): boolean {
    const meta = params._meta;
    const tag = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    const stream = this.#streams.get(tag as Id); // a value that is no id finds nothing
    if (stream === undefined || stream.controller.signal.aborted) return false;
    if (method === 'notifications/subscriptions/acknowledged') {
      const { notifications } = params;
      acknowledge(stream, isObject(notifications) ? (notifications as t.SubscriptionFilter) : {}); // flags and URIs
      return true;
    }
    const change = readChange(method, params);
    if (change === undefined) return false;
    if (stream.open) stream.listener(change);
    else
      this.#listening.onError(
        new AnswerError('the server told a change before it acknowledged the subscription'),
      );
    return true;
  }

  /** The server has ended a stream by cancelling its request. */
  cancelled(id: Id): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.controller.abort(new ConnectionError('cancelled', 'the server ended the subscription'));
  }

  /** Keeps a stream open, also across connections; resolves with the fault that ended it, if it was one. */
  async #follow(stream: Stream): Promise<Error | undefined> {
    const { signal } = stream.controller;
    for (;;) {
      const fault = await this.#listen(stream);
      if (fault === undefined || signal.aborted) return undefined;
      // a stream that was never acknowledged is somebody's to open again
      const again = stream.acknowledged === undefined ? undefined : this.#listening.reopened();
      if (again === undefined) return fault;
      try {
        await within(again, 'opening the connection again', { signal });
      } catch {
        // the connection stays closed, for which the fault is the reason, or the stream is no longer wanted
        return signal.aborted ? undefined : fault;
      }
    }
  }

  /** One request; resolves when it has ended, with the fault if there was one. */
  async #listen(stream: Stream): Promise<Error | undefined> {
    let id: Id | undefined;
    const sent = (own: Id): void => {
      // a request whose answer was lost is sent again under another id
      if (id !== undefined) this.#streams.delete(id);
      stream.open = false;
      id = own;
      this.#streams.set(own, stream);
    };
    try {
      await this.#listening.listen({ notifications: stream.wanted }, sent, stream.controller.signal);
      return undefined;
    } catch (error) {
      return error as Error; // requests reject with errors
    } finally {
      stream.open = false;
      if (id !== undefined) this.#streams.delete(id);
    }
  }
}

/** Once more than the first time, what was agreed to may have changed unheard. */
function acknowledge(stream: Stream, filter: t.SubscriptionFilter): void {
  if (stream.open) return;
  const isFirst = stream.acknowledged === undefined;
  stream.acknowledged = filter;
  stream.open = true;
  if (isFirst) stream.opened();
  else for (const change of changesOf(filter)) stream.listener(change);
}

function refused(fault: Error | undefined): never {
  throw fault ?? new AnswerError('the server ended the subscription before it acknowledged it');
}
