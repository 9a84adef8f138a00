import { type Revision, revisions } from './revisions.ts';
import type * as t from './types.ts';

/** One method of the protocol: its direction, its revisions and its properties. */
export interface MethodDescriptor {
  /** the side that sends it */
  from: 'client' | 'server' | 'both';
  kind: 'request' | 'notification';
  /** first and last revision that has it; without `until`, the newest revision still has it */
  since: Revision;
  until?: Revision;
  /** the capability that it requires of its receiver, or of its sender if it is a notification */
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
  /** a complete result has `ttlMs` and `cacheScope` in the stateless era */
  cacheable?: true;
  /** the server may ask the client for input while it serves this request */
  asks?: true;
  /** the member of params that is sent as `Mcp-Name` over HTTP */
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
  // until 2025-11-25 both sides accept task requests; later only the server does, as an extension
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

/** Returns the descriptor of a method in a revision, or undefined if that revision has no such method. */
export function methodIn(revision: Revision, method: string): MethodDescriptor | undefined {
  if (!Object.hasOwn(methods, method)) return undefined;
  const descriptor: MethodDescriptor = methods[method as Method]; // the key was just checked to be one of the table
  // revisions are dates, so their text order is their order in time
  const known =
    descriptor.since <= revision && (descriptor.until === undefined || revision <= descriptor.until);
  return known ? descriptor : undefined;
}

/** Returns true if requestors of a revision ask for tasks; in later ones the server decides. */
export function asksForTasks(revision: Revision): boolean {
  return methodIn(revision, 'tasks/result') !== undefined;
}

/** Returns true if results of a method have cache hints in a revision. */
export function isCacheable(revision: Revision, method: string): boolean {
  return revisions[revision].era === 'stateless' && methodIn(revision, method)?.cacheable === true;
}

/**
 * The params and results of the requests that a client sends, by method.
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

/** The params and results of the requests that a server sends, by method. */
export interface ServerRequests {
  ping: { params: t.RequestParams; result: t.EmptyResult };
  'roots/list': { params: t.RequestParams; result: t.ListRootsResult };
  'sampling/createMessage': { params: t.CreateMessageRequestParams; result: t.CreateMessageResult };
  'elicitation/create': { params: t.ElicitRequestParams; result: t.ElicitResult };
}
