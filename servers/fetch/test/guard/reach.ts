/**
 * A program for a network namespace: tests which cases of the corpus are reached, with and without the guard. Every
 * address leads to its own listeners.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { connect as connectPlainly, createServer, type LookupFunction, type Server, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildConnector, Client } from 'undici';
import { WebError } from '../../src/failure.ts';
import { Guard } from '../../src/guard/guard.ts';
import { misleading, publicAddresses, refused, resolved } from './corpus/cases.ts';
import scenarios from './corpus/rebinding.json' with { type: 'json' };
import type { Attempt, Connection, Rebinding, Report } from './report.ts';
import { Resolver, tableLookup } from './resolver.ts';

type Connect = buildConnector.connector;

const ports = [22, 25, 80, 443, 3128, 8000, 8080, 9000];
const allowPorts = ports.filter((port) => port > 1024);
const rebound = 'rebind.example.org';

/** The connections that listeners accepted, by port. */
const arrivals = new Map<number, string[]>(ports.map((port) => [port, []]));

function isolate(outside: string): boolean {
  const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo');
  if (readlinkSync('/proc/self/ns/net') === outside || others.length > 0)
    throw new Error('this program needs a network of its own');
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'ignore'] });
  ip('link', 'set', 'lo', 'up');
  ip('route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo');
  try {
    ip('-6', 'route', 'add', 'local', '::/0', 'dev', 'lo');
    return true;
  } catch {
    // a system without IPv6
    return false;
  }
}

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer((socket) => {
    arrivals.get(port)?.push((socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
    socket.on('error', () => {});
    socket.on('data', () => {
      if (port === 443) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/**
 * Returns the connections so far. Each listener accepts in order, so a last connection shows that all earlier ones were
 * accepted.
 */
async function takeArrivals(): Promise<string[]> {
  const taken: string[] = [];
  for (const [port, list] of arrivals) {
    const last = connectPlainly(port, '127.0.0.1').on('error', () => {});
    const answered = new Promise((resolve) => last.once('data', resolve).once('close', resolve));
    last.write('x');
    await answered;
    last.destroy();
    taken.push(...list.splice(0).slice(0, -1));
  }
  return taken;
}

/** Returns a connector that records whether it made a connection. */
function watch(connect: Connect, onConnect: () => void): Connect {
  return (target, done) => {
    // undici's connectors return the socket at once, unlike their types
    const socket: unknown = connect(target, done);
    if (socket instanceof Socket) socket.once('connect', onConnect);
  };
}

async function ask(origin: string, connect: Connect): Promise<Attempt> {
  let connected = false;
  const client = new Client(origin, { connect: watch(connect, () => (connected = true)) });
  try {
    await get(client);
    return { outcome: 'answered', connected };
  } catch (error) {
    return { outcome: error instanceof WebError ? error.code : 'failed', connected };
  } finally {
    await client.destroy();
  }
}

async function get(client: Client): Promise<void> {
  const { body } = await client.request({ method: 'GET', path: '/' });
  await body.dump();
}

async function askAll(urls: readonly string[], connect: Connect): Promise<Record<string, Attempt>> {
  const attempts: Record<string, Attempt> = {};
  const waiting = [...urls];
  const work = async () => {
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop())
      attempts[url] = await ask(new URL(url).origin, connect);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return attempts;
}

async function rebind(scenario: (typeof scenarios)[number]): Promise<Rebinding> {
  const aliases = 'aliases' in scenario ? scenario.aliases : {};
  const resolver = new Resolver(scenario.answers, aliases);
  const connect = new Guard({ lookup: resolver.lookup }).connector();
  const connections: Connection[] = [];
  for (const _ of scenario.connections) {
    const { outcome } = await ask(`http://${rebound}`, connect);
    const reached = await takeArrivals();
    connections.push(outcome === 'answered' ? reached : outcome);
    if (outcome !== 'answered' && reached.length > 0) connections.push(reached);
  }
  const { lookups } = resolver;
  const unguarded = new Resolver(scenario.answers, aliases);
  for (const _ of scenario.connections) for (const address of unguarded.next()) await reachPlainly(address);
  return { name: scenario.name, connections, lookups, unguarded: await takeArrivals() };
}

/** Connects to port 80 with `node:net`; returns `connected`, or the code of the failure. */
async function reachPlainly(host: string, lookup?: LookupFunction): Promise<string> {
  const socket = connectPlainly({ host, port: 80, ...(lookup && { lookup, autoSelectFamily: true }) });
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return error instanceof WebError ? error.code : 'failed';
  } finally {
    socket.destroy();
  }
}

async function askTwice(): Promise<Report['kept']> {
  const resolver = new Resolver([['93.184.216.34'], ['127.0.0.1']]);
  const connect = new Guard({ lookup: resolver.lookup }).connector();
  const client = new Client(`http://${rebound}`, { connect });
  await get(client);
  await get(client);
  await client.destroy();
  return { arrivals: await takeArrivals(), lookups: resolver.lookups };
}

async function inTurn<T>(
  keys: readonly string[],
  find: (key: string) => Promise<T>,
): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const key of keys) found[key] = await find(key);
  return found;
}

async function findOut(ipv6: boolean): Promise<Report> {
  const urls = [
    ...Object.values(refused).flat(),
    ...Object.keys(misleading).map((name) => `http://${name}/`),
  ].filter((text) => URL.canParse(text) && /^https?:/.test(new URL(text).protocol));
  const lookup = tableLookup(resolved);
  const guard = new Guard({ allowPorts, lookup });
  const guarded = await askAll(urls, guard.connector());
  const guardedArrivals = await takeArrivals();
  const plain = await inTurn(Object.keys(resolved), (name) => reachPlainly(name, guard.lookup));
  const plainArrivals = await takeArrivals();
  const unguarded = await askAll(urls, buildConnector({ lookup }));
  const unguardedArrivals = await takeArrivals();
  const connect = guard.connector();
  const usable = publicAddresses.filter((address) => ipv6 || !address.includes(':'));
  const reachedPublic = await inTurn(usable, async (address) => {
    await ask(`http://${address.includes(':') ? `[${address}]` : address}`, connect);
    return takeArrivals();
  });
  const rebinding: Rebinding[] = [];
  for (const scenario of scenarios) rebinding.push(await rebind(scenario));
  const kept = await askTwice();
  return {
    ipv6,
    guarded,
    guardedArrivals,
    unguarded,
    unguardedArrivals,
    plain,
    plainArrivals,
    public: reachedPublic,
    rebinding,
    kept,
  };
}

const ipv6 = isolate(process.argv[2] ?? '');
const servers = await Promise.all(ports.map((port) => listen(port, ipv6 ? '::' : '0.0.0.0')));
const report = await findOut(ipv6);
for (const server of servers) server.close();
process.stdout.write(JSON.stringify(report), () => process.exit());
