export { serveStdio, type StdioOptions } from './transports/stdio.ts';
export { ServerStream, type StreamOptions } from './transports/stream.ts';
