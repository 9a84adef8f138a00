import type * as t from '../protocol/types.ts';
import type { Change } from './changes.ts';

export type ChangeListener = (change: Change) => void;

/** A standing wish to hear of changes. */
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
