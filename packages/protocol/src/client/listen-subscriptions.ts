import { ConnectionError } from '../jsonrpc/errors.ts';
import type { Id, Params } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { metaKeys } from '../protocol/meta.ts';
import type * as t from '../protocol/types.ts';
import { readChange } from './changes.ts';
import { AnswerError } from './errors.ts';
import type { ChangeListener, Subscription, Subscriptions } from './subscription.ts';
import { within } from './wait.ts';

interface Stream {
  listener: ChangeListener;
  /** undefined once the server has acknowledged */
  acknowledge: ((filter: t.SubscriptionFilter) => void) | undefined;
  controller: AbortController;
}

interface Listening {
  /** milliseconds that the acknowledgement may take */
  readonly timeout: number | undefined;
  listen(params: Params, sent: (id: Id) => void, signal: AbortSignal): Promise<unknown>;
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

  async open(notifications: t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription> {
    const controller = new AbortController();
    let acknowledge: Stream['acknowledge'];
    const acknowledged = new Promise<t.SubscriptionFilter>((resolve) => {
      acknowledge = resolve;
    });
    let id: Id | undefined;
    const sent = (own: Id): void => {
      id = own;
      this.#streams.set(own, { listener, acknowledge, controller });
    };
    const running = this.#listening.listen({ notifications }, sent, controller.signal);
    const ended = running.then(
      () => undefined,
      (error: unknown) => (controller.signal.aborted ? undefined : (error as Error)), // requests reject with errors
    );
    void ended.then(() => id !== undefined && this.#streams.delete(id));
    const close = async (): Promise<void> => {
      controller.abort();
      await ended;
    };
    try {
      const { timeout } = this.#listening;
      const first = Promise.race([acknowledged, running.then(refused)]);
      const filter = await within(first, 'the acknowledgement of a subscription', { timeout });
      return { acknowledged: filter, refusals: [], ended, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Hands a notification to the stream that its tag names; true when it was meant for one. */
  notified(method: string, params: Params): boolean {
    const meta = params._meta;
    const tag = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    const stream = this.#streams.get(tag as Id); // a value that is no id finds nothing
    if (stream === undefined || stream.controller.signal.aborted) return false;
    if (method === 'notifications/subscriptions/acknowledged') {
      const { notifications } = params;
      stream.acknowledge?.(isObject(notifications) ? (notifications as t.SubscriptionFilter) : {}); // flags and URIs
      stream.acknowledge = undefined;
      return true;
    }
    const change = readChange(method, params);
    if (change === undefined) return false;
    if (stream.acknowledge === undefined) stream.listener(change);
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
}

function refused(): never {
  throw new AnswerError('the server ended the subscription before it acknowledged it');
}
