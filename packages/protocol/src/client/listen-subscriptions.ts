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
  /** called at the first acknowledgement */
  readonly opened: () => void;
  /** the filter that the server accepted */
  acknowledged: t.SubscriptionFilter | undefined;
  /** true if the current request was acknowledged */
  open: boolean;
}

interface Listening {
  /** timeout of the acknowledgement in milliseconds */
  readonly timeout: number | undefined;
  listen(params: Params, sent: (id: Id) => void, signal: AbortSignal): Promise<unknown>;
  /** resolves when a lost connection is reopened; undefined if it is not being reopened */
  reopened(): Promise<void> | undefined;
  onError(error: Error): void;
}

/**
 * Subscriptions of the stateless era: one open `subscriptions/listen` request each, whose id tags its
 * notifications.
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

  /** Passes a notification to the stream of its tag; returns true if there is one. */
  notified(method: string, params: Params): boolean {
    const meta = params._meta;
    const tag = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    const stream = this.#streams.get(tag as Id); // a value that is not an id matches no stream
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
        new AnswerError('the server reported a change before it acknowledged the subscription'),
      );
    return true;
  }

  /** Handles the cancellation of a stream's request by the server. */
  cancelled(id: Id): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.controller.abort(new ConnectionError('cancelled', 'the server ended the subscription'));
  }

  /** Keeps a stream open, also across connections; resolves with the error that ended it, or undefined. */
  async #follow(stream: Stream): Promise<Error | undefined> {
    const { signal } = stream.controller;
    for (;;) {
      const fault = await this.#listen(stream);
      if (fault === undefined || signal.aborted) return undefined;
      // a stream that was never acknowledged is reopened by its caller
      const again = stream.acknowledged === undefined ? undefined : this.#listening.reopened();
      if (again === undefined) return fault;
      try {
        await within(again, 'reopening the connection', { signal });
      } catch {
        // the connection stays closed because of the fault, or the stream was closed
        return signal.aborted ? undefined : fault;
      }
    }
  }

  /** Sends one request; resolves when it has ended, with the error if there was one. */
  async #listen(stream: Stream): Promise<Error | undefined> {
    let id: Id | undefined;
    const sent = (own: Id): void => {
      // a request whose response was lost is sent again with another id
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

/**
 * Records an acknowledgement. After the first one, reports every accepted change, because notifications may
 * be lost.
 */
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
