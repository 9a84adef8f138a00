import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Server } from '../../src/index.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import {
  type SocketAddress,
  type SocketListener,
  type SocketOptions,
  serveSocket,
} from '../../src/socket.ts';
import { Conversation } from '../wire/conversation.ts';

export type Kind = 'unix' | 'tcp';
export const kinds: readonly Kind[] = ['unix', 'tcp'];

/** Listeners, clients and folders of one test file; all end with the test. */
export class Places {
  readonly #listeners: SocketListener[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #folders: string[] = [];

  constructor() {
    afterEach(() => this.#clear());
  }

  /** Returns an unused path in its own folder. */
  path(): string {
    const folder = mkdtempSync(join(tmpdir(), 'socket-'));
    this.#folders.push(folder);
    return join(folder, 'server.sock');
  }

  address(kind: Kind): SocketAddress {
    return kind === 'unix' ? { path: this.path() } : { port: 0 };
  }

  async serve<S>(server: Server<S>, at: SocketAddress, options: SocketOptions = {}): Promise<SocketListener> {
    const listener = await serveSocket(server, at, options);
    this.#listeners.push(listener);
    return listener;
  }

  /** Returns a client that sends bytes. */
  async dial({ address }: Pick<SocketListener, 'address'>): Promise<Socket> {
    const socket = connect('path' in address ? { path: address.path } : { ...address });
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.on('error', () => {
      // the server may close the connection during a write
    });
    return socket;
  }

  /** Returns a client that sends lines; received messages are checked against the schema of the revision. */
  async talk(listener: SocketListener, revision: Revision, reading = true): Promise<Conversation> {
    const socket = await this.dial(listener);
    return new Conversation({ input: socket, output: socket }, revision, reading);
  }

  async #clear(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close(0)));
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true });
  }
}

/** Resolves when a socket is closed. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.resume().once('close', () => resolve());
  });
}
