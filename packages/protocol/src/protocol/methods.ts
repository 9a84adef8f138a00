import { type Revision, revisions } from './revisions.ts';
import type * as t from './types.ts';

/** What the rest of the code derives its behaviour from: one row for each method of any revision. */
export interface MethodDescriptor {
  /** who sends it */
  from: 'client' | 'server' | 'both';
  kind: 'request' | 'notification';
  /** first and last revision that has it; no `until` means that it is still there */
  since: Revision;
  until?: Revision;
  /** the capability of the receiver that it needs; a sender of notifications needs its own */
  capability?:
    | 'tools'
    | 'prompts'
    | 'resources'
    | 'completions'
    | 'logging'
    | 'roots'
    | 'sampling'
    | 'elicitation'
    | 'tasks';
  /** a complete result carries `ttlMs` and `cacheScope` in the stateless era */
  cacheable?: true;
  /** the server may ask the client for input while it works on this */
  asks?: true;
  /** the member of params that names what it is about (`Mcp-Name` over HTTP) */
  names?: 'name' | 'uri' | 'taskId';
}

const handshakeOnly = { since: '2024-11-05', until: '2025-11-25' } as const;
const always = { since: '2024-11-05' } as const;
const stateless = { since: '2026-07-28' } as const;
const elicitation = { since: '2025-06-18', until: '2025-11-25' } as const;
const task = { kind: 'request', since: '2025-11-25', capability: 'tasks' } as const;

export const methods = {
  initialize: { from: 'client', kind: 'request', ...handshakeOnly },
  ping: { from: 'both', kind: 'request', ...handshakeOnly },
  'server/discover': { from: 'client', kind: 'request', ...stateless, cacheable: true },
  'subscriptions/listen': { from: 'client', kind: 'request', ...stateless },
  'tools/list': { from: 'client', kind: 'request', ...always, capability: 'tools', cacheable: true },
  'tools/call': {
    from: 'client',
    kind: 'request',
    ...always,
    capability: 'tools',
    asks: true,
    names: 'name',
  },
  'prompts/list': { from: 'client', kind: 'request', ...always, capability: 'prompts', cacheable: true },
  'prompts/get': {
    from: 'client',
    kind: 'request',
    ...always,
    capability: 'prompts',
    asks: true,
    names: 'name',
  },
  'resources/list': { from: 'client', kind: 'request', ...always, capability: 'resources', cacheable: true },
  'resources/templates/list': {
    from: 'client',
    kind: 'request',
    ...always,
    capability: 'resources',
    cacheable: true,
  },
  'resources/read': {
    from: 'client',
    kind: 'request',
    ...always,
    capability: 'resources',
    cacheable: true,
    asks: true,
    names: 'uri',
  },
  'resources/subscribe': { from: 'client', kind: 'request', ...handshakeOnly, capability: 'resources' },
  'resources/unsubscribe': { from: 'client', kind: 'request', ...handshakeOnly, capability: 'resources' },
  'completion/complete': { from: 'client', kind: 'request', ...always, capability: 'completions' },
  'logging/setLevel': { from: 'client', kind: 'request', ...handshakeOnly, capability: 'logging' },
  'roots/list': { from: 'server', kind: 'request', ...handshakeOnly, capability: 'roots' },
  'sampling/createMessage': { from: 'server', kind: 'request', ...handshakeOnly, capability: 'sampling' },
  'elicitation/create': { from: 'server', kind: 'request', ...elicitation, capability: 'elicitation' },
  // up to 2025-11-25 both sides take requests as tasks; later the server alone, as an extension
  'tasks/get': { from: 'both', ...task, names: 'taskId' },
  'tasks/cancel': { from: 'both', ...task, names: 'taskId' },
  'tasks/result': { from: 'both', ...task, until: '2025-11-25' },
  'tasks/list': { from: 'both', ...task, until: '2025-11-25' },
  'tasks/update': { from: 'client', ...task, since: '2026-07-28', names: 'taskId' },
  'notifications/initialized': { from: 'client', kind: 'notification', ...handshakeOnly },
  'notifications/cancelled': { from: 'both', kind: 'notification', ...always },
  'notifications/progress': { from: 'both', kind: 'notification', ...always },
  'notifications/roots/list_changed': { from: 'client', kind: 'notification', ...handshakeOnly },
  'notifications/message': { from: 'server', kind: 'notification', ...always, capability: 'logging' },
  'notifications/tools/list_changed': {
    from: 'server',
    kind: 'notification',
    ...always,
    capability: 'tools',
  },
  'notifications/prompts/list_changed': {
    from: 'server',
    kind: 'notification',
    ...always,
    capability: 'prompts',
  },
  'notifications/resources/list_changed': {
    from: 'server',
    kind: 'notification',
    ...always,
    capability: 'resources',
  },
  'notifications/resources/updated': {
    from: 'server',
    kind: 'notification',
    ...always,
    capability: 'resources',
  },
  'notifications/tasks/status': {
    from: 'both',
    kind: 'notification',
    since: '2025-11-25',
    until: '2025-11-25',
    capability: 'tasks',
  },
  'notifications/tasks': { from: 'server', kind: 'notification', ...stateless, capability: 'tasks' },
  'notifications/elicitation/complete': {
    from: 'server',
    kind: 'notification',
    since: '2025-11-25',
    until: '2025-11-25',
  },
  'notifications/subscriptions/acknowledged': { from: 'server', kind: 'notification', ...stateless },
} as const satisfies Record<string, MethodDescriptor>;

export type Method = keyof typeof methods;

/** The row of a method in a revision, or undefined when that revision has no such method. */
export function methodIn(revision: Revision, method: string): MethodDescriptor | undefined {
  if (!Object.hasOwn(methods, method)) return undefined;
  const descriptor: MethodDescriptor = methods[method as Method]; // holds: it is an own key of the table
  // revisions are dates, so their order is the order of their text
  const known =
    descriptor.since <= revision && (descriptor.until === undefined || revision <= descriptor.until);
  return known ? descriptor : undefined;
}

/** Whether a revision lets requestors ask for tasks; in a later one the server decides by itself. */
export function asksForTasks(revision: Revision): boolean {
  return methodIn(revision, 'tasks/result') !== undefined;
}

/** Whether results of a method carry cache hints in a revision. */
export function isCacheable(revision: Revision, method: string): boolean {
  return revisions[revision].era === 'stateless' && methodIn(revision, method)?.cacheable === true;
}

/**
 * Params and result of the requests that a client sends, by method.
 * @example
 * const params: ClientRequests['tools/call']['params'] = { name: 'add', arguments: { a: 1, b: 2 } };
 * const { content } = await client.request('tools/call', params);
 */
export interface ClientRequests {
  initialize: { params: t.InitializeRequestParams; result: t.InitializeResult };
  ping: { params: t.RequestParams; result: t.EmptyResult };
  'server/discover': { params: t.RequestParams; result: t.DiscoverResult };
  'subscriptions/listen': { params: t.SubscriptionsListenRequestParams; result: t.SubscriptionsListenResult };
  'tools/list': { params: t.PaginatedRequestParams; result: t.ListToolsResult };
  'tools/call': { params: t.CallToolRequestParams; result: t.CallToolResult };
  'prompts/list': { params: t.PaginatedRequestParams; result: t.ListPromptsResult };
  'prompts/get': { params: t.GetPromptRequestParams; result: t.GetPromptResult };
  'resources/list': { params: t.PaginatedRequestParams; result: t.ListResourcesResult };
  'resources/templates/list': { params: t.PaginatedRequestParams; result: t.ListResourceTemplatesResult };
  'resources/read': { params: t.ReadResourceRequestParams; result: t.ReadResourceResult };
  'resources/subscribe': { params: t.SubscribeRequestParams; result: t.EmptyResult };
  'resources/unsubscribe': { params: t.UnsubscribeRequestParams; result: t.EmptyResult };
  'completion/complete': { params: t.CompleteRequestParams; result: t.CompleteResult };
  'logging/setLevel': { params: t.SetLevelRequestParams; result: t.EmptyResult };
  'tasks/get': { params: t.TaskRequestParams; result: t.GetTaskResult | t.GetExtensionTaskResult };
  'tasks/cancel': { params: t.TaskRequestParams; result: t.CancelTaskResult | t.EmptyResult };
  'tasks/result': { params: t.TaskRequestParams; result: t.Result };
  'tasks/list': { params: t.PaginatedRequestParams; result: t.ListTasksResult };
  'tasks/update': { params: t.UpdateTaskRequestParams; result: t.EmptyResult };
}

/** Params and result of what a server asks a client, by method. */
export interface ServerRequests {
  ping: { params: t.RequestParams; result: t.EmptyResult };
  'roots/list': { params: t.RequestParams; result: t.ListRootsResult };
  'sampling/createMessage': { params: t.CreateMessageRequestParams; result: t.CreateMessageResult };
  'elicitation/create': { params: t.ElicitRequestParams; result: t.ElicitResult };
}
