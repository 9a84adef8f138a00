import { fork } from 'node:child_process';
import { childEnv } from './machine.mjs';

const TIMEOUT = 60_000;

/** A server program over HTTP on a loopback port. */
export class HttpServer {
  /** @type {Promise<number>} */
  #port;
  #stderr = '';

  /**
   * @param {string} path
   * @param {'stateless' | 'session'} kind
   */
  constructor(path, kind) {
    this.child = fork(path, [kind], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: childEnv(),
      execArgv: [],
    });
    this.child.stderr?.on('data', (chunk) => {
      this.#stderr = (this.#stderr + chunk).slice(-2000);
    });
    this.#port = this.#waitFor('port');
    // the rejection reaches the caller that waits for the port
    this.#port.catch(() => {});
  }

  get pid() {
    const pid = this.child.pid;
    if (pid === undefined) throw new Error('server did not start');
    return pid;
  }

  port() {
    return this.#port;
  }

  /**
   * Makes the server change a list this number of times, once per turn of its event loop.
   * @param {number} changes
   */
  async change(changes) {
    const changed = this.#waitFor('changed');
    this.child.send({ changes });
    await changed;
  }

  async close() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }

  /**
   * @param {'port' | 'changed'} what
   * @returns {Promise<number>}
   */
  #waitFor(what) {
    return new Promise((resolve, reject) => {
      /** @param {() => void} settle */
      const end = (settle) => {
        clearTimeout(timer);
        this.child.off('message', listen);
        this.child.off('exit', fail);
        settle();
      };
      /** @param {any} message */
      const listen = (message) => {
        if (message[what] !== undefined) end(() => resolve(message[what]));
      };
      const fail = () =>
        end(() => reject(new Error(`server exits: ${this.#stderr.trim().split('\n').at(-1)}`)));
      const timer = setTimeout(() => end(() => reject(new Error(`no word in ${TIMEOUT / 1000} s`))), TIMEOUT);
      this.child.on('message', listen);
      this.child.on('exit', fail);
    });
  }
}
