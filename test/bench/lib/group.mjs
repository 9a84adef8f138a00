/**
 * The comparison of a row: ours is divided by the sample named by `over`, and `must` and `aim` are then ratios.
 * @typedef {{ row: string, unit: string, over?: string, must?: number, aim?: number }} RowSpec
 */

/** @typedef {import('./rounds.mjs').Samples} Samples */
/** @typedef {import('./servers.mjs').Contestant} Contestant */
/** @typedef {import('./session.mjs').Session} Session */

/**
 * @typedef {object} Context
 * @property {Contestant} ours
 * @property {Contestant} responder
 * @property {readonly Contestant[]} peers
 * @property {readonly Contestant[]} all ours first
 * @property {import('./trees.mjs').Trees} trees
 * @property {boolean} quick
 */

/**
 * Rows that are measured together; `run` returns the samples of each by the same keys.
 * @typedef {object} Group
 * @property {string} workload
 * @property {Record<string, RowSpec>} rows
 * @property {(context: Context) => Promise<Record<string, Record<string, Samples>>>} run
 * @property {boolean} [fullOnly] left out with --quick
 */

/**
 * One entry per contestant, by name.
 * @template T
 * @param {readonly Contestant[]} contestants
 * @param {(contestant: Contestant) => T} make
 * @returns {Record<string, T>}
 */
export function each(contestants, make) {
  return Object.fromEntries(contestants.map((one) => [one.name, make(one)]));
}

/**
 * Opens a session on a root, runs work after the handshake, and always closes it.
 * @template T
 * @param {Session} session
 * @param {(session: Session) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function during(session, use) {
  try {
    await session.initialize();
    return await use(session);
  } finally {
    await session.close();
  }
}

/** Sessions that stay open for all rounds; each opens at its first use, so that a failure affects no other. */
export class OpenSessions {
  /** @type {Map<string, { session: Session, ready: Promise<unknown> }>} */
  #open = new Map();
  #launch;
  #prepare;

  /**
   * @param {(contestant: Contestant) => Session} launch
   * @param {(session: Session, contestant: Contestant) => Promise<unknown>} prepare
   */
  constructor(launch, prepare) {
    this.#launch = launch;
    this.#prepare = prepare;
  }

  /** @param {Contestant} contestant */
  async of(contestant) {
    let opened = this.#open.get(contestant.name);
    if (!opened) {
      const session = this.#launch(contestant);
      opened = { session, ready: this.#prepare(session, contestant) };
      this.#open.set(contestant.name, opened);
    }
    await opened.ready;
    return opened.session;
  }

  async close() {
    for (const { session } of this.#open.values()) await session.close();
  }
}
