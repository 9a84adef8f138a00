import type * as t from '../protocol/types.ts';
import type { Change } from './changes.ts';

/**
 * Receives changes.
 * @example
 * const heard: string[] = [];
 * const listener: ChangeListener = (change) => heard.push(change.kind === 'list' ? change.list : change.uri);
 */
export type ChangeListener = (change: Change) => void;

/**
 * A subscription to changes.
 * @example
 * const endQuietly = async (subscription: Subscription): Promise<void> => {
 *   await subscription.close();
 *   await subscription.ended;
 * };
 */
export interface Subscription {
  /** the part of the filter that the server accepted */
  readonly acknowledged: t.SubscriptionFilter;
  /** the errors of the part that it refused, if it sent any */
  readonly refusals: readonly Error[];
  /**
   * resolves when no more changes will be reported: with the error that ended it, or undefined if either side
   * closed it
   */
  readonly ended: Promise<Error | undefined>;
  /** ends it; the listener is not called again */
  close(): Promise<void>;
}

/** The subscriptions of one era. */
export interface Subscriptions {
  open(filter: t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription>;
}
