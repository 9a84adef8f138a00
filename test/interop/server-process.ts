import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { Message } from './message.ts';
import { Transcript } from './transcript.ts';

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One running server, with its transcript and its exit. */
export class ServerProcess {
  readonly pid: number;
  /** the messages in both directions; those of the server are validated */
  readonly transcript = new Transcript();
  /** resolves when the process has exited and its output was read */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #stderr = '';

  constructor(child: ChildProcess) {
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || stdin === null || stdout === null)
      throw new Error('a server needs a pipe on both sides');
    this.pid = pid;
    this.#child = child;
    stdin.on('error', () => {
      // the server may exit while a client writes; its exit is in `ended`
    });
    const write = stdin.write.bind(stdin) as (...args: unknown[]) => boolean; // one of its overloads
    stdin.write = (...args: unknown[]): boolean => {
      this.transcript.toServer(String(args[0]));
      return write(...args);
    };
    const decoder = new StringDecoder('utf8');
    stdout.on('data', (bytes: Buffer) => this.transcript.fromServer(decoder.write(bytes)));
    stderr?.on('data', (bytes: Buffer) => {
      this.#stderr += String(bytes);
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.transcript.close();
        resolve({ code, signal });
      });
    });
  }

  /** Returns invalid messages and output on stderr, one line each. */
  get faults(): string[] {
    const stderr = this.#stderr === '' ? [] : [`on stderr: ${this.#stderr}`];
    return [...this.transcript.faults, ...stderr];
  }

  /** Sends one message, or a raw line. */
  say(message: Message | string): void {
    this.#child.stdin!.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Sends a request and returns its response. */
  ask(request: Message & { id: string | number }): Promise<Message> {
    this.say(request);
    return this.transcript.answer(request.id);
  }

  /** Ends the server's stdin. */
  endInput(): void {
    this.#child.stdin!.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal unless it has exited, and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<Ending> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal(signal);
    return this.ended;
  }
}
