/**
 * A Unix socket by the path of its file (on Windows a named pipe), or a TCP port.
 * @example const addresses: SocketAddress[] = [{ path: '/run/sums.sock' }, { port: 7000 }];
 */
export type SocketAddress =
  | { readonly path: string }
  | {
      /** default 127.0.0.1 */
      readonly host?: string;
      readonly port: number;
    };

export const LOOPBACK = '127.0.0.1';

/** Returns the address in the form that node:net uses. */
export function netAddressOf(at: SocketAddress): { path: string } | { host: string; port: number } {
  return 'path' in at ? { path: at.path } : { host: at.host ?? LOOPBACK, port: at.port };
}

/** Returns an address as text. */
export function nameOf(at: SocketAddress): string {
  if ('path' in at) return at.path;
  const { host = LOOPBACK, port } = at;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
