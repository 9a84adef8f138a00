import type { JsonText } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { methodIn } from '../protocol/methods.ts';
import { projectCapabilities, projectImplementation } from '../protocol/project.ts';
import {
  newestStatelessRevision,
  type Revision,
  revisions,
  statelessRevisions,
} from '../protocol/revisions.ts';
import type { Tasks } from '../protocol/tasks/tasks.ts';
import type * as t from '../protocol/types.ts';
import { catalogOf, type ListVariant, type ToolCatalog, type ToolEntry, type ToolTexts } from './catalog.ts';
import { attempt, chain } from './chain.ts';
import { checkOptions } from './checks.ts';
import { CallContext, type Facts, type Session } from './context.ts';
import type { PromptDefinition, ResourceDefinition, TemplateDefinition, Tool } from './define.ts';
import { encodeResult } from './encode.ts';
import { lineOf, ToolError } from './failure.ts';
import type { CallObserver } from './observing.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import type {
  CacheHints,
  Call,
  ChangedList,
  Handler,
  Registry,
  ScopeRequest,
  ServerOptions,
} from './registry.ts';
import { listResources, listTemplates, readResource } from './resources.ts';
import type { RequestStates } from './state.ts';
import { callTool, listTools } from './tools.ts';

// methods that need no connection; the connection serves lifecycle, subscriptions and log levels
const handlers: Readonly<Record<string, Handler>> = {
  ping: (server, call) => encodeResult(server, call, {}),
  'server/discover': (server, call) => encodeResult(server, call, server.discovery(), server.listHints),
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': listTemplates,
  'resources/read': readResource,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  // not needed at the start
  'completion/complete': async (server, call) => (await import('./completion.ts')).complete(server, call),
  'tasks/get': serveTask,
  'tasks/result': serveTask,
  'tasks/list': serveTask,
  'tasks/cancel': serveTask,
  'tasks/update': serveTask,
};

function serveTask<S>(server: Registry<S>, call: Call): Promise<JsonText> {
  // waiting for a result is no work, so it does not count as a running request
  call.serving.idle = call.method === 'tasks/result';
  return import('./tasks/methods.ts').then(({ serveTaskMethod }) => serveTaskMethod(server, call));
}

type ListListener = (list: ChangedList) => void;

const DEFAULT_LIST_HINTS: CacheHints = { ttlMs: 60_000, cacheScope: 'private' };

/**
 * A registry of tools, resources and prompts. It serves every revision and any number of connections at once;
 * connection state is passed with each call.
 * @example
 * const lists: Server = createServer({ name: 'lists', version: '1.0.0', tools: [], listChanges: { tools: true } });
 * lists.listChanged('tools');
 */
export class Server<S = unknown> implements Registry<S> {
  readonly options: ServerOptions<S>;
  readonly info: t.Implementation;
  readonly capabilities: t.ServerCapabilities;
  readonly resources: readonly ResourceDefinition<S>[];
  readonly templates: readonly TemplateDefinition<S>[];
  readonly prompts: readonly PromptDefinition<S>[];
  readonly pageSize: number;
  readonly listHints: CacheHints;
  readonly validateOutput: boolean;
  readonly #catalog: ToolCatalog<S>;
  readonly #loaded = new Map<string, Tool<S>>();
  readonly #listeners: Record<ChangedList, Set<ListListener>> = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  #entries: readonly ToolEntry[] | undefined;
  #states: RequestStates | undefined;
  #tasks: Tasks | undefined;
  /** Runs the work of a request, through the observer if there is one. */
  observed: CallObserver = (_, work) => work();

  constructor(options: ServerOptions<S>) {
    checkOptions(options);
    const { name, version, title, description, websiteUrl, icons, tools = [], resources = [] } = options;
    this.options = options;
    this.info = {
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
    };
    this.#catalog = 'load' in tools ? tools : catalogOf(tools);
    if (options.tasks === undefined && !('load' in tools)) assertNoneRequiresTasks(tools);
    this.validateOutput = options.validateOutput ?? !('load' in tools);
    this.resources = resources.filter((entry) => entry.kind === 'resource');
    this.templates = resources.filter((entry) => entry.kind === 'template');
    this.prompts = options.prompts ?? [];
    this.pageSize = options.pageSize ?? 1000;
    this.listHints = options.listHints ?? DEFAULT_LIST_HINTS;
    this.capabilities = this.#declare();
  }

  /** Serves one request of either era; throws RpcError for an error response. */
  handle(call: Call): JsonText | Promise<JsonText> {
    const { method, facts } = call;
    const descriptor = methodIn(facts.revision, method);
    const handler =
      descriptor === undefined || !Object.hasOwn(handlers, method) ? undefined : handlers[method];
    if (descriptor === undefined || handler === undefined) {
      throw rpcError('MethodNotFound', `method ${JSON.stringify(method)} is not part of ${facts.revision}`);
    }
    const { capability } = descriptor;
    if (capability !== undefined && !this.#declares(capability)) {
      throw rpcError('MethodNotFound', `this server has no ${capability}`);
    }
    return this.observed(call, () => attempt(() => handler(this, call), throwAsRpcError));
  }

  /** Runs every later request through an observer, which replaces the previous one. */
  observeCalls(observer: CallObserver): void {
    this.observed = observer;
  }

  /** Notifies every connection that a list has changed. */
  listChanged(list: ChangedList): void {
    if (list === 'tools') {
      this.#entries = undefined;
      this.#loaded.clear();
    }
    for (const listener of this.#listeners[list]) listener(list);
  }

  /** Calls `listener` at every change of one of these lists; returns a function that stops this. */
  onListChanged(lists: readonly ChangedList[], listener: ListListener): () => void {
    for (const list of lists) this.#listeners[list].add(listener);
    return () => {
      for (const list of lists) this.#listeners[list].delete(listener);
    };
  }

  initialization(revision: Revision): t.InitializeResult {
    const { instructions } = this.options;
    return {
      protocolVersion: revision,
      capabilities: projectCapabilities(revision, this.capabilities),
      serverInfo: projectImplementation(revision, this.info),
      ...(instructions !== undefined && { instructions }),
    };
  }

  discovery(): t.DiscoverResult {
    const { instructions } = this.options;
    return {
      supportedVersions: [...statelessRevisions],
      capabilities: projectCapabilities(newestStatelessRevision, this.capabilities),
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** Returns the entries of the tools that this server offers. */
  toolEntries(): readonly ToolEntry[] | Promise<readonly ToolEntry[]> {
    if (this.#entries !== undefined) return this.#entries;
    return chain(this.#catalog.entries(), (all) => {
      const { offers } = this.options;
      this.#entries = offers === undefined ? all : all.filter(offers);
      return this.#entries;
    });
  }

  toolTexts(variant: ListVariant): ToolTexts | Promise<ToolTexts> {
    return this.#catalog.texts(variant);
  }

  findTool(name: string): Tool<S> | undefined | Promise<Tool<S> | undefined> {
    const loaded = this.#loaded.get(name);
    if (loaded !== undefined) return loaded;
    return chain(this.toolEntries(), (entries) => {
      if (!entries.some((entry) => entry.name === name)) return undefined;
      return chain(this.#catalog.load(name), (tool) => {
        this.#loaded.set(name, tool);
        return tool;
      });
    });
  }

  contextOf(call: Call): CallContext<S> {
    const meta = call.params._meta as t.RequestMetaObject | undefined; // the connection checked that it is an object
    return new CallContext(call.facts, call.sink, call.serving, meta?.progressToken);
  }

  scopeOf({ facts }: Pick<Call, 'facts'>, asking: ScopeRequest | undefined): S | Promise<S> {
    const { scope } = this.options;
    if (scope === undefined) return undefined as S; // without `scope`, S is unknown
    return scope(asking ?? { facts, ask: undefined });
  }

  /** Returns true if the scope of a call may require a round with the client. */
  asksForScope(facts: Facts): boolean {
    return this.options.scopeAsks === true && revisions[facts.revision].era === 'stateless';
  }

  async requestStates(): Promise<RequestStates> {
    if (this.#states === undefined) {
      const { RequestStates: States } = await import('./state.ts');
      this.#states ??= new States(this.options.stateKey);
    }
    return this.#states;
  }

  async tasks(): Promise<Tasks> {
    if (this.#tasks === undefined) {
      const { Tasks: Kept } = await import('../protocol/tasks/tasks.ts');
      this.#tasks ??= new Kept(this.options.tasks ?? {}, (error) => this.report(error));
    }
    return this.#tasks;
  }

  /** Ends the tasks of a closed session that no other session can access. */
  sessionEnded(session: Session): void {
    const tasks = this.#tasks;
    if (tasks === undefined) return;
    import('./tasks/owner.ts')
      .then(({ ownerOfSession }) => tasks.endOwner(ownerOfSession(session)))
      .catch((error: unknown) => this.report(error));
  }

  report(error: unknown): void {
    const { onError } = this.options;
    if (onError !== undefined) onError(error);
    else
      process.stderr.write(
        `${this.info.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
  }

  #declares(capability: string): boolean {
    return Object.hasOwn(this.capabilities, capability);
  }

  #declare(): t.ServerCapabilities {
    const { tools, resources, listResources: list, prompts, watch, listChanges = {}, tasks } = this.options;
    const completes =
      this.templates.some(({ complete }) => complete !== undefined) ||
      this.prompts.some((prompt) => prompt.arguments?.some((argument) => argument.complete !== undefined));
    return {
      ...(tools !== undefined && { tools: listChanges.tools === true ? { listChanged: true } : {} }),
      ...((resources !== undefined || list !== undefined) && {
        resources: {
          ...(watch !== undefined && { subscribe: true }),
          ...(listChanges.resources === true && { listChanged: true }),
        },
      }),
      ...(prompts !== undefined && { prompts: listChanges.prompts === true ? { listChanged: true } : {} }),
      ...(completes && { completions: {} }),
      ...(tasks !== undefined && {
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      }),
      logging: {},
    };
  }
}

function assertNoneRequiresTasks<S>(tools: readonly Tool<S>[]): void {
  const one = tools.find(({ taskSupport }) => taskSupport === 'required');
  if (one !== undefined)
    throw new TypeError(`tool ${one.name} runs only as a task; give createServer the option tasks`);
}

/** Throws a ToolError outside of a tool, such as one of `scope`, as an error response. */
function throwAsRpcError(error: unknown): never {
  if (!(error instanceof ToolError)) throw error;
  throw rpcError(error.retryable ? 'InternalError' : 'InvalidParams', lineOf(error));
}

/**
 * Returns a server for any transport.
 * @example
 * const now = tool({ name: 'now', description: 'The time.', input: z.object({}), run: () => new Date().toISOString() });
 * const server = createServer({ name: 'clock', version: '1.0.0', tools: [now] });
 * const client = await connect(streams(() => serveMemory(server)), { name: 'me', version: '1.0.0' });
 * (await client.listTools()).map(({ name }) => name); // => ['now']
 * await client.close();
 */
export function createServer<S = unknown>(options: ServerOptions<S>): Server<S> {
  return new Server(options);
}
