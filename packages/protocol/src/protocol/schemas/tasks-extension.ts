import * as z from 'zod';
import type { Revision } from '../revisions.ts';
import type * as t from '../types.ts';
import { notifying, resulting } from './base.ts';
import { byMember, factsOf, mapOf, object, openObject, optional, perRevision, type Shape } from './shape.ts';

// the extension `io.modelcontextprotocol/tasks`, which the official schema of its revision does not hold

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

/** Each status with what it demands besides the state itself. */
function detailed<T extends t.DetailedTask>(around: Shape<Omit<T, keyof t.DetailedTask>>): z.ZodType<T> {
  const open = {
    ...around,
    ...state(),
    inputRequests: optional(questions()),
    result: optional(openObject()),
    error: optional(failure()),
  };
  const form = (demands: object): z.ZodType<T> => object<T>({ ...open, ...demands } as unknown as Shape<T>); // by its members
  return byMember<T>('status', {
    working: form({}),
    input_required: form({ inputRequests: questions() }),
    completed: form({ result: openObject() }),
    failed: form({ error: failure() }),
    cancelled: form({}),
  });
}

const created = perRevision<t.CreateExtensionTaskResult>((has) =>
  object<t.CreateExtensionTaskResult>({ ...resulting(has), ...state(), resultType: z.literal('task') }),
);
const shown = perRevision<t.GetExtensionTaskResult>((has) =>
  detailed<t.GetExtensionTaskResult>(resulting(has)),
);
const told = perRevision<t.TaskNotificationParams>((has) =>
  detailed<t.TaskNotificationParams>(notifying(has)),
);

/** The schema of what a server answers in place of a result. */
export function createdTask(revision: Revision): z.ZodType<t.CreateExtensionTaskResult> {
  return created(factsOf(revision));
}

/** The schema of the result of `tasks/get`. */
export function detailedTask(revision: Revision): z.ZodType<t.GetExtensionTaskResult> {
  return shown(factsOf(revision));
}

/** The schema of the params of `notifications/tasks`. */
export function toldTask(revision: Revision): z.ZodType<t.TaskNotificationParams> {
  return told(factsOf(revision));
}
