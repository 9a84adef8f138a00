import { once } from 'node:events';
import { type AddressInfo, connect as connectPlainly, createServer, type Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { Guard } from '../../src/guard/guard.ts';
import { tableLookup } from './resolver.ts';
import { codeOf } from './verdict.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';
const names = ['localhost', 'www.example.org', 'www.example.net'];
const resolved = tableLookup(Object.fromEntries(names.map((name) => [name, '127.0.0.1'])));

let server: Server;
let port: number;
let arrivals: number;

beforeEach(async () => {
  arrivals = 0;
  server = createServer((socket) => {
    arrivals++;
    socket.on('error', () => {}).on('data', () => socket.write(answer));
  });
  port = await listen(server);
});
afterEach(() => server.close());

async function listen(on: Server): Promise<number> {
  on.listen(0, '127.0.0.1');
  await once(on, 'listening');
  // a listener on TCP has an address with a port
  return (on.address() as AddressInfo).port;
}

/** Returns the text at an origin, or the code of its failure. */
async function get(connect: buildConnector.connector, origin: string): Promise<string> {
  const client = new Client(origin, { connect });
  try {
    const { body } = await client.request({ method: 'GET', path: '/' });
    return await body.text();
  } catch (error) {
    return codeOf(error);
  } finally {
    await client.destroy();
  }
}

/** Returns how a single connection ends: with a socket, or with an error. */
function dial(connect: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(target, (...[error, socket]) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
  });
}

describe('a connector', () => {
  test('reaches the private host that the operator lists, by name and by IP address', async () => {
    const allowPrivate = [`localhost:${port}`, `127.0.0.1:${port}`];
    const connect = new Guard({ allowPrivate, lookup: resolved }).connector();
    expect(await get(connect, `http://localhost:${port}`)).toBe('hi');
    expect(await get(connect, `http://127.0.0.1:${port}`)).toBe('hi');
    expect(arrivals).toBe(2);
  });

  test('reaches it on no other port and by no other name', async () => {
    let strays = 0;
    const other = createServer((socket) => {
      strays++;
      socket.destroy();
    });
    const otherPort = await listen(other);
    const allowPrivate = [`localhost:${port}`, `www.example.org:${port}`];
    const allowPorts = [otherPort, port];
    const connect = new Guard({ allowPrivate, allowPorts, lookup: resolved }).connector();
    expect(await get(connect, `http://www.example.org:${port}`)).toBe('hi');
    expect(await get(connect, `http://www.example.org:${otherPort}`)).toBe('address-refused');
    expect(await get(connect, `http://localhost:${otherPort}`)).toBe('address-refused');
    expect(await get(connect, `http://www.example.net:${port}`)).toBe('address-refused');
    expect(await get(connect, `http://127.0.0.1:${port}`)).toBe('address-refused');
    expect([arrivals, strays]).toEqual([1, 0]);
    other.close();
  });

  test('reaches a host that is listed without a port only on allowed ports', async () => {
    const connect = new Guard({ allowPrivate: ['localhost'], lookup: resolved }).connector();
    expect(await get(connect, `http://localhost:${port}`)).toBe('port-refused');
    expect(arrivals).toBe(0);
  });

  test('returns the socket at once, so that it can be closed while it connects', () => {
    const connect = new Guard({ allowPrivate: [`localhost:${port}`], lookup: resolved }).connector();
    const target = {
      hostname: 'localhost',
      host: `localhost:${port}`,
      protocol: 'http:',
      port: String(port),
    };
    // undici's types lack the return value of connectors
    const socket: unknown = connect(target, () => {});
    expect(socket).toBeInstanceOf(Socket);
    if (socket instanceof Socket) socket.destroy();
  });

  test("passes on the resolver's failure for an unknown name", async () => {
    const connect = new Guard({ lookup: resolved }).connector();
    const target = { hostname: 'other.example.org', host: 'other.example.org', protocol: 'http:', port: '' };
    await expect(dial(connect, target)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('closes a connection with another remote address, before a byte is sent', async () => {
    const received: Buffer[] = [];
    const key = Buffer.from('0123456789abcdef');
    const ciphers = 'PSK-AES128-GCM-SHA256';
    const secure = createTlsServer({ pskCallback: () => key, ciphers, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', () => {}).on('data', (data) => received.push(data));
    });
    const securePort = await listen(secure);
    const httpSocket = connectPlainly(securePort, '127.0.0.1');
    const connect = new Guard({}).connector({
      pskCallback: () => ({ psk: key, identity: 'client' }),
      ciphers,
      maxVersion: 'TLSv1.2',
      checkServerIdentity: () => undefined,
    });
    const target = {
      hostname: 'www.example.org',
      host: 'www.example.org',
      protocol: 'https:',
      port: '',
      httpSocket,
    };
    const closed = once(httpSocket, 'close');
    const error: unknown = await dial(connect, target).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WebError);
    expect(error).toMatchObject({
      code: 'address-refused',
      message: 'www.example.org does not resolve to the public internet',
    });
    await closed;
    expect(received).toEqual([]);
    secure.close();
  });
});
