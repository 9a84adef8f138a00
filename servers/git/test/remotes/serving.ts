import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cleanEnvironment } from '../scratch.ts';

/** A git daemon over the repositories of a folder: the address of the folder. */
export async function daemon(folder: string): Promise<string> {
  // the daemon does not tell which port it was given: one that is free
  const port = await freePort();
  const args = ['daemon', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`, '--export-all', '--verbose'];
  const child = spawn('git', [...args, '--enable=receive-pack', `--base-path=${folder}`, folder], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  await new Promise<void>((resolve) => {
    let printed = '';
    // it goes on to print, and ends when nobody reads
    child.stderr!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Ready to rumble')) resolve();
    });
  });
  return `git://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
}

async function listening(server: Server): Promise<{ port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

export interface HttpRemote {
  readonly address: string;
  /** what was asked: the method, the path, and the name that was given with a password */
  readonly asked: string[];
}

export interface HttpOptions {
  /** `name:password` that every request must have */
  readonly credentials?: string;
  /** Takes a request that it answers by itself: whether it did. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** The repositories of a folder by smart HTTP, through the program that git has for web servers. */
export async function httpRemote(
  folder: string,
  { credentials, instead }: HttpOptions = {},
): Promise<HttpRemote> {
  const program = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    const given = Buffer.from(
      request.headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    ).toString();
    asked.push(`${request.method} ${request.url} ${given.split(':')[0]}`.trim());
    if (instead?.(request, response) === true) return;
    if (credentials !== undefined && given !== credentials) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    serve(program, folder, request, response);
  });
  const { port } = await listening(server);
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return { address: `http://127.0.0.1:${port}`, asked };
}

/** One request as a web server hands it to a CGI program. */
function serve(program: string, folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url!, 'http://host');
  const { headers, method } = request;
  const child = spawn(program, {
    env: {
      ...cleanEnvironment(),
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'test',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: method!,
      CONTENT_TYPE: headers['content-type'] ?? '',
      ...(headers['content-length'] !== undefined && { CONTENT_LENGTH: headers['content-length'] }),
      ...(headers['content-encoding'] !== undefined && {
        HTTP_CONTENT_ENCODING: headers['content-encoding'],
      }),
      ...(headers['git-protocol'] !== undefined && { GIT_PROTOCOL: String(headers['git-protocol']) }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // either side may go away first
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.once('close', () => {
    const bytes = Buffer.concat(output);
    const end = bytes.indexOf('\r\n\r\n');
    for (const line of bytes.toString('latin1', 0, end).split('\r\n')) {
      const [name, value] = line.split(': ') as [string, string];
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(bytes.subarray(end + 4));
  });
}

export interface SilentRemote {
  readonly address: string;
  /** somebody has connected */
  readonly met: Promise<unknown>;
  /** and has gone again */
  readonly left: Promise<unknown>;
}

/** A server that takes a connection and says nothing. */
export async function silentRemote(scheme: 'git' | 'http' = 'git'): Promise<SilentRemote> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  });
  const met = once(server, 'connection');
  const left = met.then(([socket]) => once(socket as Socket, 'close'));
  const { port } = await listening(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { address: `${scheme}://127.0.0.1:${port}`, met, left };
}
