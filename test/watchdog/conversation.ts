import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A program that speaks MCP over stdio. */
export class Conversation {
  readonly process: ChildProcess;
  /** its exit */
  readonly ending: Promise<Ending>;
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>();
  readonly #asked = new Map<string, () => void>();
  #stderr = '';
  #last = 0;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
    this.process = child;
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    // without readline, for which U+2028 is a line end
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!; // a split text has a last part
      for (const line of lines) this.#take(JSON.parse(line));
    });
    this.ending = once(child, 'close').then(([code, signal]) => ({
      code: code as number | null, // the arguments of `close`
      signal: signal as NodeJS.Signals | null,
      stderr: this.#stderr,
    }));
  }

  async initialize(capabilities: object = {}): Promise<void> {
    const clientInfo = { name: 'watched', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.#write({ method: 'notifications/initialized' });
  }

  /** Resolves with the response to a request. */
  request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    this.#write({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  call(name: string, args: object): Promise<Record<string, unknown>> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Resolves when the server sends a request with this method. */
  asked(method: string): Promise<void> {
    return new Promise((resolve) => this.#asked.set(method, resolve));
  }

  /** Returns the number of wake-ups of each thread by its id. */
  wakeUps(): Record<string, number> {
    const folder = `/proc/${this.process.pid}/task`;
    const counts = readdirSync(folder).map((task) => {
      const status = readFileSync(`${folder}/${task}/status`, 'utf8');
      return [task, Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1])] as const;
    });
    return Object.fromEntries(counts);
  }

  async end(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ending;
  }

  #take({ id, method, ...rest }: { id: number; method?: string }): void {
    if (method === undefined) this.#waiting.get(id)?.({ id, ...rest });
    else this.#asked.get(method)?.();
  }

  #write(message: object): void {
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
