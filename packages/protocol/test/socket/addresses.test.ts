import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/client.ts';
import { serveSocket, socket } from '../../src/socket.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { closed, Places } from './places.ts';

const places = new Places();
const me = { name: 'tester', version: '1.0.0' };

describe('the file of a Unix socket', () => {
  const umask = process.umask();
  afterEach(() => process.umask(umask));

  test('is accessible only to its user, whatever the umask, which is not changed', async () => {
    process.umask(0);
    const path = places.path();
    await places.serve(fixtureServer(), { path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(0);
  });

  test('is removed when the server has closed', async () => {
    const path = places.path();
    const listener = await places.serve(fixtureServer(), { path });
    await listener.close();
    expect(existsSync(path)).toBe(false);
  });

  test('is replaced if nobody listens on it', async () => {
    const path = await abandoned();
    const before = lstatSync(path).ctimeMs;
    await places.serve(fixtureServer(), { path });
    const client = await connect(socket({ path }), me);
    expect((await client.callTool('add', { a: 1, b: 1 })).content[0]).toMatchObject({ text: '{"sum":2}' });
    expect(lstatSync(path).ctimeMs).toBeGreaterThan(before);
  });

  test('is left to the process that listens on it', async () => {
    const path = places.path();
    await places.serve(fixtureServer(), { path });
    const inode = lstatSync(path).ino;
    await expect(serveSocket(fixtureServer(), { path })).rejects.toThrow(
      `another process listens on ${path}`,
    );
    expect(lstatSync(path).ino).toBe(inode);
    await connect(socket({ path }), me);
  });

  test('never replaces another file, nor the target of a link', async () => {
    const path = places.path();
    writeFileSync(path, 'precious');
    await expect(serveSocket(fixtureServer(), { path })).rejects.toThrow(`${path} is not a socket`);
    const link = places.path();
    symlinkSync(await abandoned(), link);
    await expect(serveSocket(fixtureServer(), { path: link })).rejects.toThrow(`${link} is not a socket`);
    expect([readFileSync(path, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['precious', true]);
  });

  test('of two servers that both find it abandoned, exactly one gets it', async () => {
    const path = await abandoned();
    const outcomes = await Promise.allSettled([
      places.serve(fixtureServer(), { path }),
      places.serve(fixtureServer(), { path }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await connect(socket({ path }), me);
  });

  /** Returns an abandoned socket file. */
  async function abandoned(): Promise<string> {
    const path = places.path();
    const { spawn } = await import('node:child_process');
    const program = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    const child = spawn(process.execPath, ['-e', program]);
    await new Promise((resolve) => child.once('exit', resolve));
    expect(lstatSync(path).isSocket()).toBe(true);
    return path;
  }
});

describe('a TCP port', () => {
  test('is on loopback by default, with its actual number', async () => {
    const listener = await places.serve(fixtureServer(), { port: 0 });
    expect(listener.address).toEqual({ host: '127.0.0.1', port: expect.any(Number) });
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])(
    'is not opened to others on %s without allowAnyone',
    async (host) => {
      await expect(serveSocket(fixtureServer(), { host, port: 0 })).rejects.toThrow(
        `host ${host} is not loopback`,
      );
    },
  );

  test('is opened to others with allowAnyone', async () => {
    const listener = await places.serve(fixtureServer(), { host: '0.0.0.0', port: 0 }, { allowAnyone: true });
    const { port } = listener.address as { port: number };
    const client = await connect(socket({ port }), me);
    await client.close();
  });

  test('that is in use is an error', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(serveSocket(fixtureServer(), { port })).rejects.toThrow('EADDRINUSE');
    other.close();
  });

  test('does nothing for a browser that was made to send messages in the body of a request', async () => {
    let called = 0;
    const server = fixtureServer();
    const handle = server.handle.bind(server);
    server.handle = (call) => {
      called += 1;
      return handle(call);
    };
    const listener = await places.serve(server, { port: 0 });
    const client = await places.dial(listener);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { text: 'owned' }, _meta: meta };
    const body = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
    let heard = '';
    client.on('data', (bytes) => {
      heard += String(bytes);
    });
    client.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    client.write(body);
    await closed(client);
    expect(
      heard
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).error.code),
    ).toEqual([-32700]);
    expect(called).toBe(0);
    // the same message is served if it comes first
    const other = await places.dial(listener);
    const answer = new Promise<string>((resolve) => other.once('data', (bytes) => resolve(String(bytes))));
    other.write(`\ufeff \r\n${body}`);
    expect(JSON.parse(await answer).result.content[0].text).toBe('owned');
    expect(called).toBe(1);
  });

  test('removes a client that disconnects without a message', async () => {
    const listener = await places.serve(fixtureServer(), { port: 0 });
    const client = await places.dial(listener);
    client.end();
    await closed(client);
    expect(listener.connections).toBe(0);
  });
});
