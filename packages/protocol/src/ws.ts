export type { ConnectionLimits } from './transports/limits.ts';
export { type WebSocketClientOptions, webSocket } from './transports/ws/client.ts';
export {
  type WebSocketEndpoint,
  type WebSocketOptions,
  webSocketEndpoint,
} from './transports/ws/endpoint.ts';
export {
  serveWebSocket,
  type WebSocketListener,
  type WebSocketListenerOptions,
} from './transports/ws/serve.ts';
