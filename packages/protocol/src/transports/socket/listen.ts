import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type ListenOptions, type Server } from 'node:net';
import { isLoopbackName } from '../http/guard.ts';
import { nameOf, netAddressOf, type SocketAddress } from './address.ts';

/** File mode: only the user who listens may connect. */
const OWNER_ONLY = 0o600;
const UMASK_OF_OWNER_ONLY = 0o177;
/** The maximum number of attempts to listen at a path that other processes use too. */
const MOST_TRIES = 3;

export interface ListenRules {
  /** true if other machines may connect over TCP */
  allowAnyone: boolean;
}

/** Listens; resolves with the address. */
export async function listen(
  server: Server,
  at: SocketAddress,
  { allowAnyone }: ListenRules,
): Promise<SocketAddress> {
  if ('path' in at) {
    await listenAtPath(server, at.path);
    return at;
  }
  const host = netAddressOf(at) as { host: string; port: number }; // it has no path
  if (!allowAnyone) assertLoopback(host.host);
  await begin(server, host);
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new TypeError('a TCP server has an address and a port');
  // a host name may resolve to another address
  if (!allowAnyone) assertLoopback(bound.address);
  return { host: bound.address, port: bound.port };
}

function assertLoopback(host: string): void {
  if (isLoopbackName(host)) return;
  throw new TypeError(
    `host ${host} is not loopback, so everybody who reaches the port could use the server; set allowAnyone to allow that`,
  );
}

async function listenAtPath(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') {
    await begin(server, { path });
    return;
  }
  for (let tries = 1; ; tries++) {
    try {
      await begin(server, { path });
      return;
    } catch (error) {
      // listen fails with system errors
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MOST_TRIES) throw error;
      await removeStale(path);
    }
  }
}

function begin(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    if (options.path === undefined || process.platform === 'win32') server.listen(options);
    else listenAsOwner(server, options.path);
  });
}

/** Creates the file of a Unix socket such that others can never open it, not even for a moment. */
function listenAsOwner(server: Server, path: string): void {
  const restore = restrictUmask();
  try {
    server.listen({ path });
  } finally {
    restore();
  }
  // worker threads cannot set the umask
  if (server.listening) chmodSync(path, OWNER_ONLY);
}

function restrictUmask(): () => void {
  try {
    const before = process.umask(UMASK_OF_OWNER_ONLY);
    return () => process.umask(before);
  } catch {
    // only the main thread may set it; chmod follows
    return () => {};
  }
}

/** Removes the file of a Unix socket that nobody listens on; throws if somebody does, or if it is another file. */
async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket; use another path or remove the file`);
  if (await answers(path)) throw new Error(`another process listens on ${path}; use another path`);
  const now = lstatSync(path, { throwIfNoEntry: false });
  // another process may have created its own in the meantime
  const same = now !== undefined && now.ino === found.ino && now.ctimeMs === found.ctimeMs;
  if (same) unlinkSync(path);
}

/** Returns true if somebody listens at a path. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false);
      else if (error.code === 'EAGAIN') resolve(true);
      else
        reject(
          new Error(`cannot determine whether a process listens on ${nameOf({ path })}: ${error.message}`),
        );
    });
  });
}
