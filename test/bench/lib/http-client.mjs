import { connect } from 'node:net';
import { initializedText, initializeRequest } from './http-requests.mjs';

const CONNECTIONS = 32;
const TIMEOUT = 60_000;
const HEAD_END = '\r\n\r\n';

/** @typedef {{ head: string, body: string }} Answer the body as it arrived, chunked or not */

/**
 * Sends a request `total` times over 32 keep-alive connections, each of which sends the next one after its answer, and
 * returns the first answer.
 * @param {number} port
 * @param {import('./http-requests.mjs').Request} request
 * @param {number} count
 * @returns {Promise<Answer>}
 */
export async function load(port, request, count) {
  let sent = 0;
  const first = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = new Connection(port);
      try {
        const answer = await connection.send(request(sent++));
        while (sent < count) await connection.send(request(sent++));
        return answer;
      } finally {
        connection.close();
      }
    }),
  );
  if (first[0] === undefined) throw new Error('nothing was asked');
  return first[0];
}

/**
 * Opens a session of 2025-11-25 and returns its id.
 * @param {number} port
 * @param {Connection} connection
 */
export async function beginSession(port, connection) {
  const { head } = await connection.send(initializeRequest(port)(0));
  const session = /^mcp-session-id: (\S+)/im.exec(head)?.[1];
  if (session === undefined) throw new Error('the answer to initialize names no session');
  await connection.send(initializedText(port, session));
  return session;
}

/** A keep-alive connection for consecutive requests, which parses as little of an answer as possible. */
export class Connection {
  #socket;
  #received = '';
  /** length of the whole answer, known after its head; 0 if the answer is chunked */
  #length = -1;
  /** @type {((answer: Answer) => void) | undefined} */
  #resolve;
  /** @type {((error: Error) => void) | undefined} */
  #reject;

  /** @param {number} port */
  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.setTimeout(TIMEOUT, () => this.#fail(new Error(`no answer in ${TIMEOUT / 1000} s`)));
    this.#socket.on('data', (/** @type {string} */ chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closes the connection')));
  }

  /**
   * @param {string} request
   * @returns {Promise<Answer>}
   */
  send(request) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close() {
    this.#reject = undefined;
    this.#socket.destroy();
  }

  /** @param {string} chunk */
  #take(chunk) {
    this.#received = this.#received === '' ? chunk : this.#received + chunk;
    const received = this.#received;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    if (this.#length < 0) this.#length = answerLength(received.slice(0, end + 2), end + HEAD_END.length);
    const whole = this.#length > 0 ? received.length >= this.#length : received.endsWith('\r\n0\r\n\r\n');
    if (!whole) return;
    this.#received = '';
    this.#length = -1;
    const head = received.slice(0, end + 2);
    if (/^HTTP\/1\.1 20[02] /.test(head))
      this.#resolve?.({ head, body: received.slice(end + HEAD_END.length) });
    else this.#fail(new Error(`answers ${received.slice(0, 300)}`));
  }

  /** @param {Error} error */
  #fail(error) {
    this.#reject?.(error);
    this.#socket.destroy();
  }
}

/**
 * @param {string} head
 * @param {number} bodyAt
 */
function answerLength(head, bodyAt) {
  const announced = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (announced !== undefined) return bodyAt + Number(announced);
  return /\r\ntransfer-encoding: chunked\r\n/i.test(head) ? 0 : bodyAt;
}
