import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { Message } from './message.ts';
import { Transcript } from './transcript.ts';

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One running server: what it is told, what it says, and how it ends. */
export class ServerProcess {
  readonly pid: number;
  /** what is said in both directions; every word of the server is checked */
  readonly transcript = new Transcript();
  /** resolves when the process is gone and its output is read to the end */
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
      // the server may end while a client writes; how it ended is in `ended`
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

  /** What the server should not have said, one line each. */
  get faults(): string[] {
    const stderr = this.#stderr === '' ? [] : [`on stderr: ${this.#stderr}`];
    return [...this.transcript.faults, ...stderr];
  }

  /** Says one message, or a line as it is. */
  say(message: Message | string): void {
    this.#child.stdin!.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Says a request and gives its answer. */
  ask(request: Message & { id: string | number }): Promise<Message> {
    this.say(request);
    return this.transcript.answer(request.id);
  }

  /** Ends the client's side. */
  endInput(): void {
    this.#child.stdin!.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal unless it has ended, and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ending> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal(signal);
    return this.ended;
  }
}
