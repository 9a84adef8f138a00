import type { Params } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';

/**
 * The lists of a server that can change.
 * @example const list: ListName = 'resources';
 */
export type ListName = 'tools' | 'prompts' | 'resources';

/**
 * A change that a subscription reports.
 * @example
 * const changes: Change[] = [{ kind: 'list', list: 'tools' }, { kind: 'resource', uri: 'memo://today' }];
 */
export type Change = { kind: 'list'; list: ListName } | { kind: 'resource'; uri: string };

/** The members of a filter that select changes of lists. */
export const listFields = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<ListName, keyof t.SubscriptionFilter>;

export const listNames = Object.keys(listFields) as ListName[]; // the keys above

/** Returns the change that a notification reports, or undefined for another notification. */
export function readChange(method: string, { uri }: Params): Change | undefined {
  if (method === 'notifications/resources/updated') {
    return typeof uri === 'string' ? { kind: 'resource', uri } : undefined;
  }
  const list = listNames.find((name) => method === `notifications/${name}/list_changed`);
  return list && { kind: 'list', list };
}

/** Returns one change for each list and resource of a filter. */
export function changesOf(filter: t.SubscriptionFilter): Change[] {
  const lists = listNames.filter((list) => filter[listFields[list]] === true);
  const uris = filter.resourceSubscriptions ?? [];
  return [
    ...lists.map((list): Change => ({ kind: 'list', list })),
    ...uris.map((uri): Change => ({ kind: 'resource', uri })),
  ];
}

/** Returns true if a filter selects a change; an update may name a part of the resource that was subscribed to. */
export function selects(filter: t.SubscriptionFilter, change: Change): boolean {
  if (change.kind === 'list') return filter[listFields[change.list]] === true;
  return (filter.resourceSubscriptions ?? []).some((uri) => isWithin(change.uri, uri));
}

function isWithin(uri: string, subscribed: string): boolean {
  return uri === subscribed || uri.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);
}
