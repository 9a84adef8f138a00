import type * as z from 'zod';
import { methodIn } from '../methods.ts';
import type { Revision } from '../revisions.ts';
import { emptyResult, notificationParams, paginatedRequestParams, requestParams } from './base.ts';
import { callToolRequestParams, getPromptRequestParams, readResourceRequestParams } from './calls.ts';
import { completeRequestParams, completeResult } from './completion.ts';
import { elicitRequestParams, elicitResult } from './elicitation.ts';
import { errorDataByCode } from './errors.ts';
import { listRootsParams, orInputRequired } from './input.ts';
import { discoverResult, initializeRequestParams, initializeResult } from './lifecycle.ts';
import {
  cancelledParams,
  elicitationCompleteParams,
  loggingMessageParams,
  progressParams,
  resourceUpdatedParams,
  setLevelRequestParams,
} from './notifications.ts';
import { getPromptResult, listPromptsResult } from './prompts.ts';
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
  subscribeRequestParams,
} from './resources.ts';
import { listRootsResult } from './roots.ts';
import { createMessageRequestParams, createMessageResult } from './sampling.ts';
import { type Facts, factsOf, type PerRevision, perRevision } from './shape.ts';
import {
  subscriptionsAcknowledgedParams,
  subscriptionsListenRequestParams,
  subscriptionsListenResult,
} from './subscriptions.ts';
import {
  cancelTaskResult,
  createTaskResult,
  getTaskPayloadResult,
  getTaskResult,
  listTasksResult,
  taskRequestParams,
  taskStatusNotificationParams,
} from './tasks.ts';
import { callToolResult, listToolsResult } from './tools.ts';

/** Makes params optional in the handshake era; the stateless era requires them for `_meta`. */
function omissible<T>(params: PerRevision<T>): PerRevision<T | undefined> {
  return perRevision<T | undefined>((has) => (has.stateless ? params(has) : params(has).optional()));
}

const noParams = omissible(requestParams);
const pageParams = omissible(paginatedRequestParams);
const signal = perRevision((has) => notificationParams(has).optional());
const form = { params: elicitRequestParams, result: elicitResult };
const message = { params: createMessageRequestParams, result: createMessageResult };

const requests = {
  initialize: { params: initializeRequestParams, result: initializeResult },
  ping: { params: noParams, result: emptyResult },
  'server/discover': { params: noParams, result: discoverResult },
  'subscriptions/listen': { params: subscriptionsListenRequestParams, result: subscriptionsListenResult },
  'tools/list': { params: pageParams, result: listToolsResult },
  'tools/call': { params: callToolRequestParams, result: orInputRequired(callToolResult) },
  'prompts/list': { params: pageParams, result: listPromptsResult },
  'prompts/get': { params: getPromptRequestParams, result: orInputRequired(getPromptResult) },
  'resources/list': { params: pageParams, result: listResourcesResult },
  'resources/templates/list': { params: pageParams, result: listResourceTemplatesResult },
  'resources/read': { params: readResourceRequestParams, result: orInputRequired(readResourceResult) },
  'resources/subscribe': { params: subscribeRequestParams, result: emptyResult },
  'resources/unsubscribe': { params: subscribeRequestParams, result: emptyResult },
  'completion/complete': { params: completeRequestParams, result: completeResult },
  'logging/setLevel': { params: setLevelRequestParams, result: emptyResult },
  'roots/list': { params: noParams, result: listRootsResult },
  'sampling/createMessage': message,
  'elicitation/create': form,
} as const;

const taskRequests = {
  'tasks/get': { params: taskRequestParams, result: getTaskResult },
  'tasks/result': { params: taskRequestParams, result: getTaskPayloadResult },
  'tasks/cancel': { params: taskRequestParams, result: cancelTaskResult },
  'tasks/list': { params: pageParams, result: listTasksResult },
} as const;

/** The params and the response of each kind of input request. */
const questions = {
  'roots/list': { params: listRootsParams, result: listRootsResult },
  'sampling/createMessage': message,
  'elicitation/create': form,
} as const;

const notifications = {
  'notifications/initialized': signal,
  'notifications/cancelled': cancelledParams,
  'notifications/progress': progressParams,
  'notifications/roots/list_changed': signal,
  'notifications/message': loggingMessageParams,
  'notifications/tools/list_changed': signal,
  'notifications/prompts/list_changed': signal,
  'notifications/resources/list_changed': signal,
  'notifications/resources/updated': resourceUpdatedParams,
  'notifications/subscriptions/acknowledged': subscriptionsAcknowledgedParams,
} as const;

/** Notifications of 2025-11-25 only. */
const taskNotifications = {
  'notifications/tasks/status': taskStatusNotificationParams,
  'notifications/elicitation/complete': elicitationCompleteParams,
} as const;

/** The requests that 2025-11-25 can run as tasks. */
const augmented = new Set(['tools/call', 'sampling/createMessage', 'elicitation/create']);

const allRequests = { ...requests, ...taskRequests };
const allNotifications = { ...notifications, ...taskNotifications };

type Requests = typeof allRequests;
type Questions = typeof questions;
type Notifications = typeof allNotifications;
type Output<P> = P extends PerRevision<infer T> ? T : never;

export type RequestMethod = keyof Requests;
export type QuestionMethod = keyof Questions;
export type NotificationMethod = keyof Notifications;

/** Returns the schema of a request's `params`, or undefined if the revision has no such request. */
export function params<M extends RequestMethod>(
  revision: Revision,
  method: M,
): z.ZodType<Output<Requests[M]['params']>> | undefined;
export function params(revision: Revision, method: string): z.ZodType | undefined;
export function params(revision: Revision, method: string): z.ZodType | undefined {
  return request(revision, method)?.params(factsOf(revision));
}

/** Returns the schema of a request's result, or undefined if the revision has no such request. */
export function result<M extends RequestMethod>(
  revision: Revision,
  method: M,
): z.ZodType<Output<Requests[M]['result']>> | undefined;
export function result(revision: Revision, method: string): z.ZodType | undefined;
export function result(revision: Revision, method: string): z.ZodType | undefined {
  return request(revision, method)?.result(factsOf(revision));
}

/** Returns the schema of the result of a request with `task`, or undefined if the revision has no such request. */
export function taskResult(
  revision: Revision,
  method: string,
): z.ZodType<Output<typeof createTaskResult>> | undefined {
  const has = factsOf(revision);
  return has.tasks && augmented.has(method) ? createTaskResult(has) : undefined;
}

/** Returns the schema of a notification's `params`, or undefined if the revision has no such notification. */
export function notification<M extends NotificationMethod>(
  revision: Revision,
  method: M,
): z.ZodType<Output<Notifications[M]>> | undefined;
export function notification(revision: Revision, method: string): z.ZodType | undefined;
export function notification(revision: Revision, method: string): z.ZodType | undefined {
  const has = factsOf(revision);
  return find(notifications, taskNotifications, has, method)?.(has);
}

/** Returns the schema of the params of an input request, or undefined before the stateless era. */
export function questionParams<M extends QuestionMethod>(
  revision: Revision,
  method: M,
): z.ZodType<Output<Questions[M]['params']>> | undefined;
export function questionParams(revision: Revision, method: string): z.ZodType | undefined;
export function questionParams(revision: Revision, method: string): z.ZodType | undefined {
  return question(revision, method)?.params(factsOf(revision));
}

/** Returns the schema of the response to an input request. */
export function answer<M extends QuestionMethod>(
  revision: Revision,
  method: M,
): z.ZodType<Output<Questions[M]['result']>> | undefined;
export function answer(revision: Revision, method: string): z.ZodType | undefined;
export function answer(revision: Revision, method: string): z.ZodType | undefined {
  return question(revision, method)?.result(factsOf(revision));
}

/** Returns the schema of the `data` of an error code, or undefined if the revision defines none. */
export function errorData(revision: Revision, code: number): z.ZodType | undefined {
  return errorDataByCode(factsOf(revision), code);
}

interface Row {
  params: PerRevision<unknown>;
  result: PerRevision<unknown>;
}

function request(revision: Revision, method: string): Row | undefined {
  return find<Row>(requests, taskRequests, factsOf(revision), method);
}

function question(revision: Revision, method: string): Row | undefined {
  const rows: Record<string, Row> = questions;
  return factsOf(revision).stateless && Object.hasOwn(rows, method) ? rows[method] : undefined;
}

function find<R>(
  rows: Record<string, R>,
  taskRows: Record<string, R>,
  has: Facts,
  method: string,
): R | undefined {
  if (has.tasks && Object.hasOwn(taskRows, method)) return taskRows[method];
  if (!Object.hasOwn(rows, method) || methodIn(has.revision, method) === undefined) return undefined;
  return rows[method];
}
