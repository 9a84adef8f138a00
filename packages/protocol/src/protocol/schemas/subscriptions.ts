import * as z from 'zod';
import type * as t from '../types.ts';
import { implementation, notifying, requestId, requesting, resulting } from './base.ts';
import { object, optional, perRevision } from './shape.ts';

const subscriptionFilter = perRevision<t.SubscriptionFilter>((has) =>
  object<t.SubscriptionFilter>({
    toolsListChanged: optional(z.boolean()),
    promptsListChanged: optional(z.boolean()),
    resourcesListChanged: optional(z.boolean()),
    resourceSubscriptions: optional(z.array(z.string())),
    taskIds: optional(z.array(z.string()), has.stateless),
  }),
);

export const subscriptionsListenRequestParams = perRevision<t.SubscriptionsListenRequestParams>((has) =>
  object<t.SubscriptionsListenRequestParams>({ ...requesting(has), notifications: subscriptionFilter(has) }),
);

export const subscriptionsListenResult = perRevision<t.SubscriptionsListenResult>((has) =>
  object<t.SubscriptionsListenResult>({
    ...resulting(has),
    _meta: object<t.SubscriptionsListenResult['_meta']>({
      'io.modelcontextprotocol/subscriptionId': requestId(),
      'io.modelcontextprotocol/serverInfo': optional(implementation(has)),
    }),
  }),
);

export const subscriptionsAcknowledgedParams = perRevision<t.SubscriptionsAcknowledgedNotificationParams>(
  (has) =>
    object<t.SubscriptionsAcknowledgedNotificationParams>({
      ...notifying(has),
      notifications: subscriptionFilter(has),
    }),
);
