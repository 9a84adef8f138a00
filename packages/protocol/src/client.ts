export { ResultCache, type ResultCacheOptions } from './client/cache.ts';
export type { Change, ListName } from './client/changes.ts';
export type { Client } from './client/client.ts';
export { connect } from './client/connect.ts';
export { displayName, type ToolHints, toolHints } from './client/display.ts';
export { AnswerError, AnswerLostError, CapabilityError, HttpError } from './client/errors.ts';
export { type FolderRoots, type FolderRootsOptions, folderRoots } from './client/folder-roots.ts';
export type { ImageHeader } from './client/image.ts';
export { type LoadedIcon, type LoadIconOptions, loadIcon } from './client/load-icon.ts';
export { chooseModel, type RatedModel } from './client/models.ts';
export type {
  ClientOptions,
  ClientRequestOptions,
  EraChoice,
  ReopenOptions,
  Verdict,
} from './client/options.ts';
export type { ElicitationProvider, ProviderContext, SamplingProvider } from './client/providers.ts';
export { type StreamOptions, type StreamPair, streams } from './client/streams.ts';
export type { ChangeListener, Subscription } from './client/subscription.ts';
export type { TaskHandle } from './client/task-handle.ts';
export type { ClientTasks, TaskCallOptions } from './client/tasks.ts';
export type { Channel, ChannelEvents, Transport } from './client/transport.ts';
export { ConnectionError, RpcError } from './jsonrpc/errors.ts';
export type { Outbound, ProgressUpdate, RequestOptions } from './jsonrpc/peer.ts';
export { usableIcons } from './protocol/icons.ts';
export type { ClientRequests } from './protocol/methods.ts';
export type { Era, Revision } from './protocol/revisions.ts';
export type { TaskOptions } from './protocol/tasks/options.ts';
export type * from './protocol/types.ts';
export { type ChildOptions, childProcess } from './transports/child.ts';
export type { HttpClientOptions, ReconnectOptions } from './transports/http-client/options.ts';
export { http, sse } from './transports/http-client/transport.ts';
