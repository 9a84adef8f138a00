export type { ConnectionLimits } from './transports/limits.ts';
export { type SseOptions, type SseRoutes, sseRoutes } from './transports/sse/routes.ts';
