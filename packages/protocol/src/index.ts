export { RpcError } from './jsonrpc/errors.ts';
export type { JsonText } from './jsonrpc/message.ts';
export { rpcError } from './protocol/errors.ts';
export { JsonBytes } from './protocol/json-bytes.ts';
export {
  allRevisions,
  handshakeRevisions,
  type Revision,
  type RevisionFeatures,
  revisions,
  statelessRevisions,
} from './protocol/revisions.ts';
export type { TaskEvent } from './protocol/tasks/events.ts';
export type { TaskOptions } from './protocol/tasks/options.ts';
export type { TaskRecord, TaskStore } from './protocol/tasks/store.ts';
export type * from './protocol/types.ts';
export { Utf8Text } from './protocol/utf8.ts';
export { visible } from './protocol/visible.ts';
export {
  type Ask,
  asTask,
  confirm,
  form,
  type Need,
  type Outcome,
  optional,
  type PageOptions,
  roots,
  sample,
  timed,
  url,
} from './server/ask.ts';
export {
  catalogOf,
  type ListVariant,
  type ToolCatalog,
  type ToolEntry,
  type ToolTexts,
} from './server/catalog.ts';
export { CallContext, type Facts, type Session } from './server/context.ts';
export type { Tool as AnyTool } from './server/define.ts';
export {
  type Complete,
  type Completion,
  type PromptDefinition,
  prompt,
  type ReadOutcome,
  type Rendered,
  type ResourceDefinition,
  resource,
  type TemplateDefinition,
  type ToolDefinition,
  template,
  tool,
  toolFor,
} from './server/define.ts';
export type { CatalogOptions } from './server/definitions.ts';
export { ToolError, type ToolErrorOptions } from './server/failure.ts';
export type { CallObserver } from './server/observing.ts';
export { type PageRequest, PagesRequired, type PageVisit, pagesRequired } from './server/page-visit.ts';
export type { CacheHints, ScopeRequest, ServerOptions } from './server/registry.ts';
export { Reply, type ReplyParts, reply } from './server/reply.ts';
export { createServer, type Server } from './server/server.ts';
