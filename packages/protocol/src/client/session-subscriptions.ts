import { ConnectionError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';
import { type Change, changesOf, listFields, listNames, selects } from './changes.ts';
import type { ChangeListener, Subscription, Subscriptions } from './subscription.ts';
import { pause } from './wait.ts';

interface Entry {
  filter: t.SubscriptionFilter;
  listener: ChangeListener;
  end(fault: Error | undefined): void;
}

/** A URI that is subscribed to at the server. */
interface UriSubscription {
  count: number;
  started: Promise<unknown>;
}

interface Session {
  readonly capabilities: t.ServerCapabilities;
  request(method: 'resources/subscribe' | 'resources/unsubscribe', params: Params): Promise<unknown>;
}

/** The maximum number of attempts to restore a subscription, and the milliseconds before the second. */
const [MOST_ATTEMPTS, RETRY_MS] = [5, 100];

/**
 * Subscriptions of the handshake era. A resource is subscribed to once for all its listeners; changes of
 * lists need no subscription.
 */
export class SessionSubscriptions implements Subscriptions {
  readonly #session: Session;
  readonly #entries = new Set<Entry>();
  /** the listeners of each URI, and the request that subscribed to it */
  readonly #uris = new Map<string, UriSubscription>();

  constructor(session: Session) {
    this.#session = session;
  }

  async open(wanted: t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription> {
    const refusals: Error[] = [];
    const filter = await this.#acknowledge(wanted, refusals);
    let end: Entry['end'] = () => {};
    const ended = new Promise<Error | undefined>((resolve) => {
      end = resolve;
    });
    const entry: Entry = { filter, listener, end };
    this.#entries.add(entry);
    return { acknowledged: filter, refusals, ended, close: () => this.#close(entry) };
  }

  changed(change: Change): void {
    for (const { filter, listener } of [...this.#entries]) {
      if (selects(filter, change)) listener(change);
    }
  }

  /** Subscribes again after the server lost the session, and reports every subscribed change. */
  async renew(): Promise<void> {
    const uris = [...this.#uris];
    for (const [uri, entry] of uris) entry.started = this.#resubscribe(uri, entry);
    const outcomes = await Promise.allSettled(uris.map(([, { started }]) => started));
    this.missed();
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Reports every subscribed change, because notifications may have been lost. */
  missed(): void {
    for (const { filter, listener } of [...this.#entries]) {
      for (const change of changesOf(filter)) listener(change);
    }
  }

  closed(fault: Error): void {
    for (const { end } of this.#entries) end(fault);
    this.#entries.clear();
    this.#uris.clear();
  }

  async #acknowledge(wanted: t.SubscriptionFilter, refusals: Error[]): Promise<t.SubscriptionFilter> {
    const { capabilities } = this.#session;
    const filter: t.SubscriptionFilter = {};
    for (const list of listNames) {
      const field = listFields[list];
      if (wanted[field] === true && capabilities[list]?.listChanged === true) filter[field] = true;
    }
    const { resourceSubscriptions: uris } = wanted;
    if (uris === undefined || capabilities.resources?.subscribe !== true) return filter;
    const distinct = [...new Set(uris)];
    const outcomes = await Promise.allSettled(distinct.map((uri) => this.#subscribe(uri)));
    filter.resourceSubscriptions = distinct.filter((_uri, index) => outcomes[index]?.status === 'fulfilled');
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') refusals.push(outcome.reason as Error); // requests reject with errors
    }
    return filter;
  }

  /** Resolves when the server has accepted the subscription to a URI. */
  async #subscribe(uri: string): Promise<void> {
    const entry = this.#uris.get(uri) ?? {
      count: 0,
      started: this.#session.request('resources/subscribe', { uri }),
    };
    entry.count += 1;
    this.#uris.set(uri, entry);
    try {
      await entry.started;
    } catch (error) {
      if (this.#uris.get(uri) === entry) this.#uris.delete(uri);
      throw error;
    }
  }

  /** Restores the subscription to a URI; repeats a lost request, because no caller would. */
  async #resubscribe(uri: string, subscription: UriSubscription): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#session.request('resources/subscribe', { uri });
        return;
      } catch (error) {
        const lost = error instanceof ConnectionError && error.reason === 'closed';
        if (!lost || attempt === MOST_ATTEMPTS) throw error;
        await pause(RETRY_MS * attempt);
        if (this.#uris.get(uri) !== subscription) return;
      }
    }
  }

  async #close(entry: Entry): Promise<void> {
    if (!this.#entries.delete(entry)) return;
    entry.end(undefined);
    await Promise.all((entry.filter.resourceSubscriptions ?? []).map((uri) => this.#unsubscribe(uri)));
  }

  async #unsubscribe(uri: string): Promise<void> {
    const entry = this.#uris.get(uri);
    if (entry === undefined) return;
    entry.count -= 1;
    if (entry.count > 0) return;
    this.#uris.delete(uri);
    await this.#session.request('resources/unsubscribe', { uri });
  }
}
