import * as z from 'zod';
import type { Revision } from '../revisions.ts';
import type * as t from '../types.ts';
import { notifying, resulting } from './base.ts';
import { byMember, factsOf, mapOf, object, openObject, optional, perRevision, type Shape } from './shape.ts';

// the extension `io.modelcontextprotocol/tasks`, which the official schema of its revision does not contain

function state(): Shape<t.ExtensionTask> {
  return {
    taskId: z.string(),
    status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
    statusMessage: optional(z.string()),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
    ttlMs: z.int().nullable(),
    pollIntervalMs: optional(z.int()),
  };
}

const questions = (): z.ZodType<t.InputRequests> => mapOf(openObject<t.InputRequest>());
const failure = (): z.ZodType<NonNullable<t.DetailedTask['error']>> =>
  object<NonNullable<t.DetailedTask['error']>>({
    code: z.int(),
    message: z.string(),
    data: z.unknown().optional(),
  });

/** Returns the schema of a task: each status with the members that it requires. */
function detailed<T extends t.DetailedTask>(around: Shape<Omit<T, keyof t.DetailedTask>>): z.ZodType<T> {
  const open = {
    ...around,
    ...state(),
    inputRequests: optional(questions()),
    result: optional(openObject()),
    error: optional(failure()),
  };
  // T is `around` and DetailedTask, whose members are all in `open`
  const form = (required: object): z.ZodType<T> => object<T>({ ...open, ...required } as unknown as Shape<T>);
  return byMember<T>('status', {
    working: form({}),
    input_required: form({ inputRequests: questions() }),
    completed: form({ result: openObject() }),
    failed: form({ error: failure() }),
    cancelled: form({}),
  });
}

const createdByRevision = perRevision<t.CreateExtensionTaskResult>((has) =>
  object<t.CreateExtensionTaskResult>({ ...resulting(has), ...state(), resultType: z.literal('task') }),
);
const detailedByRevision = perRevision<t.GetExtensionTaskResult>((has) =>
  detailed<t.GetExtensionTaskResult>(resulting(has)),
);
const notificationByRevision = perRevision<t.TaskNotificationParams>((has) =>
  detailed<t.TaskNotificationParams>(notifying(has)),
);

/** Returns the schema of the result that a server sends when it creates a task. */
export function createdTask(revision: Revision): z.ZodType<t.CreateExtensionTaskResult> {
  return createdByRevision(factsOf(revision));
}

/** Returns the schema of the result of `tasks/get`. */
export function detailedTask(revision: Revision): z.ZodType<t.GetExtensionTaskResult> {
  return detailedByRevision(factsOf(revision));
}

/** Returns the schema of the params of `notifications/tasks`. */
export function taskNotificationParams(revision: Revision): z.ZodType<t.TaskNotificationParams> {
  return notificationByRevision(factsOf(revision));
}
