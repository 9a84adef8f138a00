import { spawn } from 'node:child_process';
import { childEnv } from './machine.mjs';

const NEWLINE = 10;
const EDGE = 256;
const TIMEOUT = 60_000;

/**
 * @typedef {object} Answer
 * @property {Buffer} line the whole answer as it arrived, without its newline
 * @property {number} at when its last byte arrived, `performance.now()`
 */

/**
 * @typedef {object} Waiting
 * @property {(answer: Answer) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** A server process over stdio; answers stay bytes, so that their parsing is not measured. */
export class Session {
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Buffer[]} */
  #parts = [];
  #id = 0;
  /** @type {string} */
  #stderr = '';
  /** @type {Error | undefined} */
  #dead;
  /** @type {(message: { method: string, params?: any }, at: number) => void} */
  onNotification = () => {};
  /** @type {((chunkLines: Buffer[]) => void) | undefined} takes every line while it is set */
  onLines;

  /**
   * @param {{ command: string, args: readonly string[] }} launch
   * @param {Record<string, string | undefined>} [environment] instead of that of the benchmark
   */
  constructor(launch, environment = childEnv()) {
    this.started = performance.now();
    this.child = spawn(launch.command, launch.args, { stdio: ['pipe', 'pipe', 'pipe'], env: environment });
    this.child.stdout.on('data', (chunk) => this.#take(chunk));
    this.child.stderr.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-2000);
    });
    // the exit of a server is reported by 'close'
    this.child.stdin.on('error', () => {});
    this.child.on('error', (error) => this.#end(error));
    this.child.on('close', () =>
      this.#end(new Error(`server exits: ${this.#stderr.trim().split('\n').at(-1)}`)),
    );
  }

  get pid() {
    const pid = this.child.pid;
    if (pid === undefined) throw new Error('server did not start');
    return pid;
  }

  /** Performs the handshake of 2025-11-25. */
  async initialize() {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '0.0.0' },
    });
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<Answer>}
   */
  request(method, params) {
    const id = this.nextId();
    return this.send(id, encode(id, method, params));
  }

  /** @param {readonly [string, object]} call */
  callTool([name, args]) {
    return this.request('tools/call', { name, arguments: args });
  }

  nextId() {
    this.#id += 1;
    return this.#id;
  }

  /**
   * Sends a line that was encoded before, so that encoding is not measured.
   * @param {number} id
   * @param {string | Buffer} line
   * @returns {Promise<Answer>}
   */
  send(id, line) {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(id, new Error(`no answer in ${TIMEOUT / 1000} s`)), TIMEOUT);
      this.#waiting.set(id, {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.write(line);
    });
  }

  /** @param {string | Buffer} line */
  write(line) {
    this.child.stdin.write(line);
  }

  /** Ends stdin and resolves when the process has exited. */
  async close() {
    if (this.#dead) return;
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3000);
    await closed;
    clearTimeout(timer);
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    // before the chunks of a long line are joined, which is the client's work
    const at = performance.now();
    const lines = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const tail = chunk.subarray(start, end);
      lines.push(this.#parts.length === 0 ? tail : Buffer.concat([...this.#parts, tail]));
      this.#parts = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(start === 0 ? chunk : chunk.subarray(start));
    if (lines.length === 0) return;
    if (this.onLines) return this.onLines(lines);
    for (const line of lines) this.#route(line, at);
  }

  /**
   * @param {Buffer} line
   * @param {number} at
   */
  #route(line, at) {
    const id = answerId(line);
    if (id === undefined) {
      const message = JSON.parse(line.toString());
      if (typeof message.method === 'string') this.onNotification(message, at);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.resolve({ line, at });
  }

  /**
   * @param {number} id
   * @param {Error} error
   */
  #fail(id, error) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(error);
  }

  /** @param {Error} error */
  #end(error) {
    this.#dead ??= error;
    for (const id of this.#waiting.keys()) this.#fail(id, this.#dead);
  }
}

/**
 * Returns one request as a line.
 * @param {number} id
 * @param {string} method
 * @param {object} [params]
 */
export function encode(id, method, params) {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

/**
 * Returns the result of an answer. Throws for a protocol error or a tool error.
 * @param {Answer} answer
 * @returns {any}
 */
export function resultOf(answer) {
  const message = JSON.parse(answer.line.toString());
  if (message.error) throw new Error(`answers ${message.error.code}: ${message.error.message}`);
  if (message.result.isError)
    throw new Error(`fails: ${String(message.result.content?.[0]?.text).slice(0, 200)}`);
  return message.result;
}

// an id is at the start or the end of an answer; inside a text its quotes would be escaped
/** @param {Buffer} line */
function answerId(line) {
  const head = line.toString('latin1', 0, EDGE);
  if (head.includes('"method":')) return undefined;
  const found =
    /[{,]"id":(\d+)[,}]/.exec(head) ?? /[{,]"id":(\d+)[,}]/.exec(line.subarray(-EDGE).toString('latin1'));
  return found ? Number(found[1]) : undefined;
}
