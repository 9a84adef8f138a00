import { PassThrough } from 'node:stream';
import { streams, type Transport } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';

/** The actions of a scripted server. */
export interface Act {
  /** sends one message */
  say(message: object): void;
  /** sends text as it is */
  write(text: string): void;
  /** ends the connection, as a process that exits */
  end(): void;
}

/** A server with responses of the test; records its messages and how often it was started. */
export interface Scripted {
  transport: Transport;
  heard: Message[];
  starts: number;
  /** acts on the newest connection */
  act: Act;
  /** resolves with the first message, received now or later, for which `wanted` returns true */
  hears(wanted: (message: Message) => boolean): Promise<Message>;
}

/** Returns a server that calls `play` for each message. */
export function scripted(play: (message: Message, act: Act, server: Scripted) => void): Scripted {
  const waiting: { wanted: (message: Message) => boolean; found: (message: Message) => void }[] = [];
  const silent: Act = { say: () => {}, write: () => {}, end: () => {} };
  const server: Scripted = {
    transport: streams(open),
    heard: [],
    starts: 0,
    act: silent,
    hears: (wanted) =>
      new Promise((found) => {
        const known = server.heard.find(wanted);
        if (known === undefined) waiting.push({ wanted, found });
        else found(known);
      }),
  };
  function open(): { input: PassThrough; output: PassThrough } {
    server.starts += 1;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const act: Act = {
      say: (message) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
      write: (text) => void input.write(text),
      end: () => void input.end(),
    };
    server.act = act;
    let rest = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const message: Message = JSON.parse(line);
        server.heard.push(message);
        for (const { wanted, found } of waiting) if (wanted(message)) found(message);
        play(message, act, server);
      }
    });
    output.on('end', () => input.end());
    return { input, output };
  }
  return server;
}

/** Answers a handshake. */
export function welcome(message: Message, act: Act, capabilities: object = {}, version?: string): void {
  if (message.method !== 'initialize') return;
  const protocolVersion = version ?? message.params.protocolVersion;
  act.say({
    id: message.id,
    result: { protocolVersion, capabilities, serverInfo: { name: 'old', version: '1' } },
  });
}

/** Returns a server of the handshake era with capabilities, which calls `play` after the handshake. */
export function oldServer(capabilities: object, play: (message: Message, act: Act) => void): Scripted {
  return scripted((message, act) => {
    welcome(message, act, capabilities);
    play(message, act);
  });
}

/** Returns a complete result of the stateless era. */
export function complete(result: object): object {
  return { resultType: 'complete', ...result };
}
