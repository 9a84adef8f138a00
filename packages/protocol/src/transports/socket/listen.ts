import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type ListenOptions, type Server } from 'node:net';
import { isLoopbackName } from '../http/guard.ts';
import { nameOf, netAddressOf, type SocketAddress } from './address.ts';

/** Only the user who listens may connect. */
const OWNER_ONLY = 0o600;
const UMASK_OF_OWNER_ONLY = 0o177;
/** How often a path is tried at which other processes come and go. */
const MOST_TRIES = 3;

export interface ListenRules {
  /** whether others than this machine may connect over TCP */
  allowAnyone: boolean;
}

/** Listens, and resolves with the address under which it is reached. */
export async function listen(
  server: Server,
  at: SocketAddress,
  { allowAnyone }: ListenRules,
): Promise<SocketAddress> {
  if ('path' in at) {
    await listenAtPath(server, at.path);
    return at;
  }
  const host = netAddressOf(at) as { host: string; port: number }; // holds: it has no path
  if (!allowAnyone) assertLoopback(host.host);
  await begin(server, host);
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new TypeError('a TCP server has an address and a port');
  // a name may have led elsewhere
  if (!allowAnyone) assertLoopback(bound.address);
  return { host: bound.address, port: bound.port };
}

function assertLoopback(host: string): void {
  if (isLoopbackName(host)) return;
  throw new TypeError(
    `host ${host} is not loopback: whoever reaches the port could use the server; set allowAnyone to mean that`,
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

/** Makes the file of a Unix socket so that it is never open to others, not even for a moment. */
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
    // only the main thread may set it; the mode is set afterwards
    return () => {};
  }
}

/** Removes the file of a Unix socket that nobody listens on; throws when somebody does, or when it is another file. */
async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} is not a socket; choose another path or remove the file`);
  if (await answers(path)) throw new Error(`another process listens on ${path}; choose another path`);
  const now = lstatSync(path, { throwIfNoEntry: false });
  // another process may have made its own in the meantime
  const same = now !== undefined && now.ino === found.ino && now.ctimeMs === found.ctimeMs;
  if (same) unlinkSync(path);
}

/** Whether somebody listens at a path. */
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
      else reject(new Error(`cannot tell whether somebody listens on ${nameOf({ path })}: ${error.message}`));
    });
  });
}
