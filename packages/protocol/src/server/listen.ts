import type { Id, JsonText, Params } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { metaKeys } from '../protocol/meta.ts';
import type * as t from '../protocol/types.ts';
import { type Call, type ChangedList, changedLists } from './registry.ts';
import type { Server } from './server.ts';
import type { TaskWatch } from './tasks/watching.ts';
import { ResourceWatches } from './watches.ts';

/** The channel for the notifications of listen streams. */
interface NotificationSink {
  notify(method: string, params: Params): void;
  hold(key: string, method: string, params: Params): void;
}

interface Stream<S> {
  watches: ResourceWatches<S>;
  stopListening?: () => void;
  stopTasks?: () => void;
  finish(text: JsonText): void;
}

const listFields: Record<ChangedList, 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged'> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/**
 * The `subscriptions/listen` requests of one connection; each stays open until either side ends it.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export class ListenStreams<S> {
  readonly #server: Server<S>;
  readonly #out: NotificationSink;
  readonly #streams = new Map<Id, Stream<S>>();

  constructor(server: Server<S>, out: NotificationSink) {
    this.#server = server;
    this.#out = out;
  }

  /** Opens a stream; resolves with its result when the server ends it. */
  async open(call: Call): Promise<JsonText> {
    const requested = readFilter(call.params.notifications);
    const { id } = call.serving;
    call.serving.idle = true;
    const tag = { [metaKeys.subscriptionId]: id };
    // changes that arrive while the watches start are sent after the acknowledgement
    let early: string[] | undefined = [];
    const updated = (uri: string): void => {
      if (early !== undefined) early.push(uri);
      else
        this.#out.hold(`${JSON.stringify(id)} ${uri}`, 'notifications/resources/updated', {
          uri,
          _meta: tag,
        });
    };
    const watches = new ResourceWatches(this.#server, updated);
    const finished = new Promise<JsonText>((resolve) => {
      this.#streams.set(id, { watches, finish: resolve });
    });
    const filter = await this.#supportedFilter(requested, watches, call);
    const tasks = await this.#findTasks(requested.taskIds, call);
    if (tasks !== undefined) filter.taskIds = tasks.taskIds;
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      watches.stopAll();
      return finished;
    }
    const lists = changedLists.filter((list) => filter[listFields[list]] === true);
    stream.stopListening = this.#server.onListChanged(lists, (list) => {
      this.#out.hold(JSON.stringify(id), `notifications/${list}/list_changed`, { _meta: tag });
    });
    this.#out.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta: tag });
    const waiting = new Set(early);
    early = undefined;
    for (const uri of waiting) updated(uri);
    if (tasks !== undefined) stream.stopTasks = tasks.start();
    return finished;
  }

  /** Ends a stream that the client has cancelled; nothing more is sent about it. */
  cancel(id: Id): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) release(stream);
    this.#streams.delete(id);
  }

  /** Ends every stream with its result; returns the ids of their requests. */
  endAll(): Id[] {
    const ended = [...this.#streams.keys()];
    for (const [id, stream] of this.#streams) {
      release(stream);
      stream.finish(
        JSON.stringify({
          resultType: 'complete',
          _meta: { [metaKeys.subscriptionId]: id, [metaKeys.serverInfo]: this.#server.info },
        }),
      );
    }
    this.#streams.clear();
    return ended;
  }

  abandonAll(): void {
    for (const stream of this.#streams.values()) release(stream);
    this.#streams.clear();
  }

  /** Returns a watch of the tasks that a stream asks for, if this server has tasks. */
  async #findTasks(wanted: readonly string[] | undefined, call: Call): Promise<TaskWatch | undefined> {
    if (wanted === undefined || this.#server.options.tasks === undefined) return undefined;
    const { id } = call.serving;
    try {
      const { watchTasks } = await import('./tasks/watching.ts');
      return await watchTasks(this.#server, call, wanted, (task) => {
        const params = { ...task, _meta: { [metaKeys.subscriptionId]: id } };
        this.#out.hold(`${JSON.stringify(id)} ${task.taskId}`, 'notifications/tasks', params);
      });
    } catch (error) {
      this.cancel(id);
      throw error;
    }
  }

  /** Returns the part of a filter that this server supports; resources that cannot be watched are left out. */
  async #supportedFilter(
    requested: t.SubscriptionFilter,
    watches: ResourceWatches<S>,
    call: Call,
  ): Promise<t.SubscriptionFilter> {
    const { capabilities } = this.#server;
    const filter: t.SubscriptionFilter = {};
    for (const list of changedLists) {
      const field = listFields[list];
      if (requested[field] === true && capabilities[list]?.listChanged === true) filter[field] = true;
    }
    if (requested.resourceSubscriptions === undefined || capabilities.resources?.subscribe !== true)
      return filter;
    const supported: string[] = [];
    for (const uri of new Set(requested.resourceSubscriptions)) {
      try {
        await watches.start(uri, call);
        supported.push(uri);
      } catch {
        // a resource that cannot be watched is left out of the acknowledgement
      }
    }
    filter.resourceSubscriptions = supported;
    return filter;
  }
}

function release<S>({ watches, stopListening, stopTasks }: Stream<S>): void {
  watches.stopAll();
  stopListening?.();
  stopTasks?.();
}

function readFilter(value: unknown): t.SubscriptionFilter {
  if (!isObject(value))
    throw rpcError('InvalidParams', 'notifications must be an object that selects changes');
  for (const field of Object.values(listFields)) {
    if (value[field] !== undefined && typeof value[field] !== 'boolean') {
      throw rpcError('InvalidParams', `notifications.${field} must be a boolean`);
    }
  }
  const { resourceSubscriptions: uris, taskIds } = value;
  if (uris !== undefined && !isStringList(uris))
    throw rpcError('InvalidParams', 'notifications.resourceSubscriptions must be a list of URIs');
  if (taskIds !== undefined && !isStringList(taskIds))
    throw rpcError('InvalidParams', 'notifications.taskIds must be a list of task ids');
  return value as t.SubscriptionFilter; // each member was checked
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
