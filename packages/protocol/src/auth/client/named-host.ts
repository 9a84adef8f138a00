import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { mayName, type Reach, reachOfAddress } from '../addresses.ts';
import { plainUrl, reachInText } from '../urls.ts';
import { AuthorizationError } from './error.ts';
import { deadlineOf, type Net } from './net.ts';

/** How long a name may take that something else resolves again. */
const LOOKUP_MS = 3000;

/**
 * Returns the addresses of a host that `server` named; throws an AuthorizationError where the server may not name one
 * of them, and the error of the look-up where there are none.
 */
export async function resolveNamed(
  net: Net,
  url: URL,
  server: URL,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const addresses = await addressesOf(net, url.hostname, signal);
  await judge(net, url, addresses, server, signal);
  return addresses;
}

/**
 * Throws an AuthorizationError as `resolveNamed` does, for a host that something else connects to. A name without an
 * answer passes, since what connects may get another one.
 */
export async function judgeNamed(net: Net, url: URL, server: URL): Promise<void> {
  const signal = deadlineOf(net);
  const soon = AbortSignal.any([AbortSignal.timeout(LOOKUP_MS), signal]);
  const addresses = await addressesOf(net, url.hostname, soon).catch(() => []);
  await judge(net, url, addresses, server, signal);
}

async function judge(
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
    `${plainUrl(url)} leads to this machine or a private network, where ${server.host} may not name anything; ` +
      `if it is meant, add ${url.hostname} to allowPrivate`,
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
 * Returns where a server is, by the address that a connection to it reached. What its name resolves to proves nothing,
 * since the server itself may answer that; a connection on which it shows its certificate does.
 */
async function reachByConnection(server: URL, net: Net, signal: AbortSignal): Promise<Reach> {
  const address = await addressReached(server, net, signal);
  // a server that is not reached from here counts as one of the web, which may name the least
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
      // it closes as well
    });
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve(undefined);
    });
  });
}
