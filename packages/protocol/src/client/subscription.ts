import type * as t from '../protocol/types.ts';
import type { Change } from './changes.ts';

/**
 * Hears of changes.
 * @example
 * const heard: string[] = [];
 * const listener: ChangeListener = (change) => heard.push(change.kind === 'list' ? change.list : change.uri);
 */
export type ChangeListener = (change: Change) => void;

/**
 * A standing wish to hear of changes.
 * @example
 * const endQuietly = async (subscription: Subscription): Promise<void> => {
 *   await subscription.close();
 *   await subscription.ended;
 * };
 */
export interface Subscription {
  /** the part of what was wanted that the server agreed to */
  readonly acknowledged: t.SubscriptionFilter;
  /** why the rest was not agreed to, where the server said so */
  readonly refusals: readonly Error[];
  /** resolves when nothing more will be told: with the fault that ended it, or undefined when either side did */
  readonly ended: Promise<Error | undefined>;
  /** ends it; the listener is not called again */
  close(): Promise<void>;
}

/** How one era subscribes. */
export interface Subscriptions {
  open(filter: t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription>;
}
