import * as z from 'zod';
import type * as t from '../types.ts';
import { emptyResult, notifying, requesting, resulting } from './base.ts';
import { type Facts, object, optional, perRevision, type Shape } from './shape.ts';

function state(): Shape<t.Task> {
  return {
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: optional(z.string()),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
    ttl: z.int().nullable(),
    pollInterval: optional(z.int()),
  };
}

const task = perRevision<t.Task>(() => object<t.Task>(state()));

/** Returns the members of a request that may run as a task. */
export function augmenting(has: Facts): Shape<Pick<t.TaskAugmentedRequestParams, 'task'>> {
  return { task: optional(object<t.TaskMetadata>({ ttl: optional(z.int()) }), has.tasks) };
}

export const taskRequestParams = perRevision<t.TaskRequestParams>((has) =>
  object<t.TaskRequestParams>({ ...requesting(has), taskId: z.string() }),
);

export const createTaskResult = perRevision<t.CreateTaskResult>((has) =>
  object<t.CreateTaskResult>({ ...resulting(has), task: task(has) }),
);

export const getTaskResult = perRevision<t.GetTaskResult>((has) =>
  object<t.GetTaskResult>({ ...resulting(has), ...state() }),
);

export const cancelTaskResult = getTaskResult;

/** The result of the request that the task runs; only its sender knows the schema. */
export const getTaskPayloadResult = emptyResult;

export const listTasksResult = perRevision<t.ListTasksResult>((has) =>
  object<t.ListTasksResult>({
    ...resulting(has),
    nextCursor: optional(z.string()),
    tasks: z.array(task(has)),
  }),
);

export const taskStatusNotificationParams = perRevision<t.TaskStatusNotificationParams>((has) =>
  object<t.TaskStatusNotificationParams>({ ...notifying(has), ...state() }),
);
