import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { mayName, type Reach, reachOfAddress } from '../addresses.ts';
import { plainUrl, reachInText } from '../urls.ts';
import { AuthorizationError } from './error.ts';
import { deadlineOf, type Net } from './net.ts';

/** The longest lookup of a name that is resolved again later, in milliseconds. */
const LOOKUP_MS = 3000;

/**
 * Returns the addresses of a host that `server` named; throws an AuthorizationError if the server may not
 * name one of them, and the lookup error if there are none.
 */
export async function resolveNamedHost(
  net: Net,
  url: URL,
  server: URL,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const addresses = await addressesOf(net, url.hostname, signal);
  await check(net, url, addresses, server, signal);
  return addresses;
}

/**
 * Throws an AuthorizationError as `resolveNamed` does, for a host that other code connects to. A name without
 * an address is accepted, because that code may resolve it differently.
 */
export async function checkNamedHost(net: Net, url: URL, server: URL): Promise<void> {
  const signal = deadlineOf(net);
  const soon = AbortSignal.any([AbortSignal.timeout(LOOKUP_MS), signal]);
  const addresses = await addressesOf(net, url.hostname, soon).catch(() => []);
  await check(net, url, addresses, server, signal);
}

async function check(
  net: Net,
  url: URL,
  addresses: readonly LookupAddress[],
  server: URL,
  signal: AbortSignal,
): Promise<void> {
  const reaches = addresses.map(({ address }) => reachOfAddress(address));
  if (reaches.every((reach) => reach === 'public')) return;
  const from = reachInText(server) ?? (await reachByConnection(server, net, signal));
  if (reaches.every((reach) => mayName(from, reach))) return;
  throw new AuthorizationError(
    'discovery',
    `${plainUrl(url)} is on this machine or a private network, which ${server.host} may not name; ` +
      `to allow it, add ${url.hostname} to allowPrivate`,
  );
}

async function addressesOf(net: Net, name: string, signal: AbortSignal): Promise<LookupAddress[]> {
  const found = await lookUp(net.lookup ?? resolveBySystem, name, signal);
  const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
  if (addresses.length === 0) throw new Error(`${name} has no address`);
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

function lookUp(
  lookup: LookupFunction,
  name: string,
  signal: AbortSignal,
): Promise<string | readonly LookupAddress[]> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    lookup(name, { all: true }, (error, found) => {
      signal.removeEventListener('abort', stop);
      if (error) reject(error);
      else resolve(found);
    });
  });
}

/**
 * Returns the reach of a server, by the address of a connection to it. Its DNS records prove nothing, since
 * the server may control them; a connection with its certificate does.
 */
async function reachByConnection(server: URL, net: Net, signal: AbortSignal): Promise<Reach> {
  const address = await addressReached(server, net, signal);
  // an unreachable server counts as public, which may name the fewest hosts
  return address === undefined ? 'public' : reachOfAddress(address);
}

function addressReached(
  { hostname, port }: URL,
  { lookup }: Net,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const target = { host: hostname, port: Number(port) || 443, servername: hostname };
    const socket = connect(lookup === undefined ? target : { ...target, lookup });
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    socket.once('secureConnect', () => {
      resolve(socket.remoteAddress);
      socket.destroy();
    });
    socket.on('error', () => {
      // the connection closes as well
    });
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve(undefined);
    });
  });
}
