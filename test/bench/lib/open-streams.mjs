import { connect } from 'node:net';

const AT_ONCE = 32;

/** Open streams, each on its own connection, whose chunks are counted. */
export class OpenStreams {
  /** @type {import('node:net').Socket[]} */
  #sockets = [];
  #port;
  /** number of chunks on all streams after they were open */
  pieces = 0;

  /** @param {number} port */
  constructor(port) {
    this.#port = port;
  }

  /**
   * Opens one stream for each request; resolves when all are open.
   * @param {readonly string[]} requests
   * @param {string} [awaited] what an answer holds once it is open
   */
  async open(requests, awaited = '\r\n\r\n') {
    const waiting = requests.values();
    // the workers share the iterator, so each request is taken once
    const openInTurn = async () => {
      for (const request of waiting) await this.#openOne(request, awaited);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openInTurn));
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets = [];
  }

  /**
   * @param {string} request
   * @param {string} awaited
   * @returns {Promise<void>}
   */
  #openOne(request, awaited) {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1', () => socket.write(request));
      this.#sockets.push(socket);
      let head = '';
      let open = false;
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`the server closes the stream: ${head.slice(0, 300)}`)));
      socket.on('data', (/** @type {string} */ chunk) => {
        if (open) {
          this.pieces += 1;
          return;
        }
        head += chunk;
        open = head.includes(awaited);
        if (open && !head.startsWith('HTTP/1.1 200 ')) reject(new Error(`answers ${head.slice(0, 300)}`));
        else if (open) resolve();
      });
    });
  }
}
