export type { Authorizer, Credentials, Identity, McpRequest, Refusal } from './auth/authorizer.ts';
export {
  type EventLimits,
  type EventStore,
  MemoryEventStore,
  type StoredEvent,
} from './transports/http/event-store.ts';
export { BodyError, type Exchange, type Headers, type OpenBody } from './transports/http/exchange.ts';
export { Guard, type GuardOptions } from './transports/http/guard.ts';
export {
  createHttpHandler,
  type HttpHandler,
  type HttpOptions,
  type Mount,
} from './transports/http/handler.ts';
export { type ListeningHttp, type ServeHttpOptions, serveHttp } from './transports/http/listen.ts';
export type { SessionRecord, SessionStore } from './transports/http/session-store.ts';
export type { UnfinishedLimits } from './transports/http/unfinished.ts';
