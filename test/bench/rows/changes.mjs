import { statelessRequest } from '../lib/http-requests.mjs';
import { HttpServer } from '../lib/http-server.mjs';
import { OpenStreams } from '../lib/open-streams.mjs';
import { cpuAtRest } from '../lib/proc.mjs';
import { ours } from '../lib/programs.mjs';
import { rounds } from '../lib/rounds.mjs';

const INTERESTED = 10;
const FEW = 10;
const MANY = 10_000;
const CHANGES = 2000;
const ACKNOWLEDGED = 'subscriptions/acknowledged';

/**
 * The cost of list changes with ten subscribed streams, while streams for another list are open.
 * @type {import('../lib/group.mjs').Group}
 */
export const changes = {
  workload: 'changes',
  rows: {
    cpu: {
      row: 'list change beside 10,000 streams that did not ask, CPU',
      unit: 'us',
      over: 'beside 10',
      must: 1.5,
      aim: 1.1,
    },
  },
  async run({ quick }) {
    const beside = { ours: new Crowd(ours, MANY), 'beside 10': new Crowd(ours, FEW) };
    try {
      return {
        cpu: await rounds(quick ? 4 : 10, {
          ours: () => beside.ours.change(),
          'beside 10': () => beside['beside 10'].change(),
        }),
      };
    } finally {
      await beside.ours.close();
      await beside['beside 10'].close();
    }
  },
};

/** A server with ten streams subscribed to changes of its tools, and others to those of its prompts. */
class Crowd {
  #server;
  #others;
  /** @type {Promise<OpenStreams> | undefined} */
  #ready;

  /**
   * @param {import('../lib/programs.mjs').Program} program
   * @param {number} others
   */
  constructor(program, others) {
    this.#server = new HttpServer(program.path, 'stateless');
    this.#others = others;
  }

  /** Returns the microseconds of one change. */
  async change() {
    this.#ready ??= this.#open();
    const streams = await this.#ready;
    const pieces = streams.pieces;
    const before = cpuAtRest(this.#server.pid);
    await this.#server.change(CHANGES);
    const used = cpuAtRest(this.#server.pid) - before;
    if (streams.pieces === pieces) throw new Error('the subscribed streams got no notification');
    return used / 1000 / CHANGES;
  }

  async close() {
    (await this.#ready)?.close();
    await this.#server.close();
  }

  async #open() {
    const port = await this.#server.port();
    const streams = new OpenStreams(port);
    await streams.open(listens(port, this.#others, { promptsListChanged: true }), ACKNOWLEDGED);
    await streams.open(listens(port, INTERESTED, { toolsListChanged: true }), ACKNOWLEDGED);
    return streams;
  }
}

/**
 * @param {number} port
 * @param {number} count
 * @param {Record<string, true>} notifications
 */
function listens(port, count, notifications) {
  const request = statelessRequest(port, { method: 'subscriptions/listen', params: { notifications } });
  return Array.from({ length: count }, (_, i) => request(i));
}
