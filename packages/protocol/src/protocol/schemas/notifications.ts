import * as z from 'zod';
import type * as t from '../types.ts';
import { loggingLevel, notifying, progressToken, requestId, requesting } from './base.ts';
import { object, optional, perRevision, requiredIn } from './shape.ts';

export const setLevelRequestParams = perRevision<t.SetLevelRequestParams>((has) =>
  object<t.SetLevelRequestParams>({ ...requesting(has), level: loggingLevel() }),
);

export const loggingMessageParams = perRevision<t.LoggingMessageNotificationParams>((has) =>
  object<t.LoggingMessageNotificationParams>({
    ...notifying(has),
    level: loggingLevel(),
    logger: optional(z.string()),
    data: z.unknown(),
  }),
);

export const progressParams = perRevision<t.ProgressNotificationParams>((has) =>
  object<t.ProgressNotificationParams>({
    ...notifying(has),
    progressToken: progressToken(),
    progress: z.number(),
    total: optional(z.number()),
    message: optional(z.string(), has.annotations),
  }),
);

export const cancelledParams = perRevision<t.CancelledNotificationParams>((has) =>
  object<t.CancelledNotificationParams>({
    ...notifying(has),
    requestId: has.tasks ? optional(requestId()) : requiredIn(true, requestId()),
    reason: optional(z.string()),
  }),
);

export const resourceUpdatedParams = perRevision<t.ResourceUpdatedNotificationParams>((has) =>
  object<t.ResourceUpdatedNotificationParams>({ ...notifying(has), uri: z.string() }),
);

export const elicitationCompleteParams = perRevision<t.ElicitationCompleteNotificationParams>((has) =>
  object<t.ElicitationCompleteNotificationParams>({ ...notifying(has), elicitationId: z.string() }),
);
