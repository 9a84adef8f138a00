import type { JsonText, Params } from '../jsonrpc/message.ts';
import type { Serving } from '../jsonrpc/peer.ts';
import type { TaskOptions } from '../protocol/tasks/options.ts';
import type { Tasks } from '../protocol/tasks/tasks.ts';
import type * as t from '../protocol/types.ts';
import type { Ask } from './ask.ts';
import type { ListVariant, ToolCatalog, ToolEntry, ToolTexts } from './catalog.ts';
import type { CallContext, Facts, Sink } from './context.ts';
import type { PromptDefinition, ResourceDefinition, TemplateDefinition, Tool } from './define.ts';
import type { RequestStates } from './state.ts';

/**
 * The lifetime and the scope of a result in a cache.
 * @example
 * const listHints: CacheHints = { ttlMs: 300_000, cacheScope: 'public' };
 * createServer({ name: 'sums', version: '1.0.0', listHints });
 */
export interface CacheHints {
  ttlMs: number;
  cacheScope: t.CacheScope;
}

/**
 * The call that a scope is for; `ask` is present if the call may ask the client.
 * @example
 * const scope = ({ facts }: ScopeRequest): { user: string } => ({ user: facts.principal ?? 'nobody' });
 * createServer({ name: 'names', version: '1.0.0', scope });
 */
export interface ScopeRequest {
  facts: Facts;
  ask: Ask | undefined;
}

/**
 * Options of a server.
 * @example
 * const options: ServerOptions<unknown> = { name: 'sums', version: '1.0.0', instructions: 'Add numbers.', pageSize: 100 };
 * createServer(options);
 */
export interface ServerOptions<S> {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: t.Icon[];
  /** for the model: the purpose of the server and how to start */
  instructions?: string;
  /** tools as values, or a catalog that a build step wrote */
  tools?: readonly Tool<S>[] | ToolCatalog<S>;
  /** selects the tools that this server has; the others are unknown to it. Default all */
  offers?: (tool: ToolEntry) => boolean;
  /** whether a list currently includes a tool or prompt; one that is not listed can still be used. Default all */
  isListed?: (list: 'tools' | 'prompts', name: string) => boolean;
  resources?: readonly (ResourceDefinition<S> | TemplateDefinition<S>)[];
  /** resources to list besides the fixed ones; templates read them */
  listResources?: (context: CallContext<S>) => readonly t.Resource[] | Promise<readonly t.Resource[]>;
  prompts?: readonly PromptDefinition<S>[];
  /**
   * Calls `changed` whenever the resource at a URI has changed, until the returned function is called. Throws
   * ToolError if the resource cannot be watched. Without it, resources cannot be subscribed to.
   */
  watch?: (uri: string, context: CallContext<S>, changed: () => void) => Promise<() => void>;
  /** returns the scope of a call, before the call runs */
  scope?: (request: ScopeRequest) => S | Promise<S>;
  /** true if `scope` asks stateless clients for their roots */
  scopeAsks?: boolean;
  /** lists that can change while the server runs */
  listChanges?: { tools?: boolean; resources?: boolean; prompts?: boolean };
  /** maximum number of items on one page of a list; default 1,000 */
  pageSize?: number;
  /** cache hints of the lists of tools, prompts and templates; default 60 s, private */
  listHints?: CacheHints;
  /** validates every structured result against its schema; default true for tools given as values */
  validateOutput?: boolean;
  /** 32 bytes; processes that share it can continue each other's multi-round requests */
  stateKey?: Uint8Array;
  /**
   * lets tools with `taskSupport` run as tasks; `{}` uses the defaults. Without it every tool runs within its
   * call
   */
  tasks?: TaskOptions;
  /** called with faults whose details no client gets; default writes them to stderr */
  onError?: (error: unknown) => void;
}

/** One request that a transport passes to the server. */
export interface Call {
  readonly facts: Facts;
  readonly method: string;
  readonly params: Params;
  readonly sink: Sink;
  readonly serving: Serving;
}

/** The lists that can change while a server runs. */
export const changedLists = ['tools', 'prompts', 'resources'] as const;
export type ChangedList = (typeof changedLists)[number];

/** The parts of the server that the handler of a method uses. */
export interface Registry<S> {
  readonly options: ServerOptions<S>;
  readonly info: t.Implementation;
  readonly resources: readonly ResourceDefinition<S>[];
  readonly templates: readonly TemplateDefinition<S>[];
  readonly prompts: readonly PromptDefinition<S>[];
  readonly pageSize: number;
  readonly listHints: CacheHints;
  readonly validateOutput: boolean;
  toolEntries(): readonly ToolEntry[] | Promise<readonly ToolEntry[]>;
  toolTexts(variant: ListVariant): ToolTexts | Promise<ToolTexts>;
  findTool(name: string): Tool<S> | undefined | Promise<Tool<S> | undefined>;
  discovery(): t.DiscoverResult;
  contextOf(call: Call): CallContext<S>;
  /** returns the scope of a call; `asking` is present if the call may ask the client */
  scopeOf(call: Pick<Call, 'facts'>, asking: ScopeRequest | undefined): S | Promise<S>;
  /** true if the scope of a call may require a round with the client */
  asksForScope(facts: Facts): boolean;
  requestStates(): Promise<RequestStates>;
  tasks(): Promise<Tasks>;
  report(error: unknown): void;
}

/** Serves one method. */
export type Handler = <S>(server: Registry<S>, call: Call) => JsonText | Promise<JsonText>;
