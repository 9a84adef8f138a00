import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** Listens on one port of loopback over TCP and UDP, and records everything that arrives. */
export class Listener {
  /** requests as `GET /path`; `-` for a connection without a request */
  readonly asked: string[] = [];
  connections = 0;
  datagrams = 0;
  readonly #open = new Set<Socket>();
  readonly #tcp: Server;
  readonly #udp: UdpSocket = createSocket('udp4');

  constructor() {
    this.#tcp = createServer((socket) => {
      this.connections++;
      this.#open.add(socket);
      socket.on('error', () => {}).on('close', () => this.#open.delete(socket));
      socket.on('data', (bytes) => {
        const line = /^([A-Z]+ \S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
        if (line !== undefined) this.asked.push(line);
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok',
        );
      });
    });
    this.#udp.on('message', () => this.datagrams++);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#tcp.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => this.#udp.bind(this.port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port; // it listens on a port
  }

  forget(): void {
    this.asked.length = 0;
    this.connections = 0;
    this.datagrams = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await Promise.all([
      new Promise((resolve) => this.#tcp.close(resolve)),
      new Promise<void>((resolve) => this.#udp.close(resolve)),
    ]);
  }
}
