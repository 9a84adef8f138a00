import type { HttpChoice } from './options.ts';

/** Returns why the server cannot listen on an address, and the fix; undefined for an unknown reason. */
export function whyNotHeard(
  error: unknown,
  { host, port }: Pick<HttpChoice, 'host' | 'port'>,
): { what: string; fix: string } | undefined {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return { what: `port ${port} of ${host} is in use`, fix: 'choose another, or 0 for a free one' };
    case 'EACCES':
      return { what: `port ${port} may not be listened on`, fix: 'choose one above 1023' };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return { what: `${host} is no address of this machine`, fix: '127.0.0.1 always is' };
    default:
      return undefined;
  }
}
