export type { ConnectionLimits } from './transports/limits.ts';
export type { SocketAddress } from './transports/socket/address.ts';
export { type SocketClientOptions, socket } from './transports/socket/client.ts';
export { type SocketListener, type SocketOptions, serveSocket } from './transports/socket/serve.ts';
