import { PassThrough } from 'node:stream';
import { streams, type Transport } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';

/** What a scripted server can do about a message. */
export interface Act {
  /** says one message */
  say(message: object): void;
  /** says text as it is */
  write(text: string): void;
  /** ends the conversation, as a process that exits */
  end(): void;
}

/** A server whose answers a test wrote: what it heard, and how often it was started. */
export interface Scripted {
  transport: Transport;
  heard: Message[];
  starts: number;
  /** acts on the newest conversation */
  act: Act;
  /** resolves with the first message heard, now or later, for which `wanted` holds */
  hears(wanted: (message: Message) => boolean): Promise<Message>;
}

/** A server that does to each message what `play` says. */
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

/** A server of the handshake era with capabilities, which does `play` after the handshake. */
export function oldServer(capabilities: object, play: (message: Message, act: Act) => void): Scripted {
  return scripted((message, act) => {
    welcome(message, act, capabilities);
    play(message, act);
  });
}

/** A complete result of the stateless era. */
export function complete(result: object): object {
  return { resultType: 'complete', ...result };
}
