export { type StdioOptions, serveStdio } from './transports/stdio.ts';
export { ServerStream, type StreamOptions } from './transports/stream.ts';
