import { BodyError } from './exchange.ts';

/**
 * Limits of bodies that are not complete yet.
 * @example
 * const unfinished: UnfinishedLimits = { each: 16, eachBytes: 32 * 1024 * 1024 };
 * createHttpHandler(server, { unfinished });
 */
export interface UnfinishedLimits {
  /** number of bodies of one principal; default 64 */
  each?: number;
  /** total size of those in bytes; default 128 MiB. A single body is limited by `bodyLimit` */
  eachBytes?: number;
  /** number of bodies in total; default 1,024 */
  all?: number;
  /** total size of those in bytes; default 512 MiB */
  allBytes?: number;
  /** milliseconds that a body may take; default 60,000 */
  timeout?: number;
}

const MEBIBYTE = 1024 * 1024;
const LEAST_SWEEP_MS = 50;
const MOST_SWEEP_MS = 2000;

/** The incomplete bodies of one owner, in the order of their last bytes. */
interface Holding {
  readonly owner: string | undefined;
  readonly bodies: Set<Unfinished>;
  bytes: number;
}

/** One incomplete body. */
export interface UnfinishedBody {
  /** Counts received bytes. */
  grew(bytes: number): void;
  /** Removes the body. */
  end(): void;
}

/** The incomplete bodies, within limits: if there are too many, the one that has waited longest is cut. */
export class UnfinishedBodies {
  readonly #limits: Readonly<Required<UnfinishedLimits>>;
  readonly #holdings = new Map<string | undefined, Holding>();
  #count = 0;
  #bytes = 0;
  #sweeper: NodeJS.Timeout | undefined;

  constructor({
    each = 64,
    eachBytes = 128 * MEBIBYTE,
    all = 1024,
    allBytes = 512 * MEBIBYTE,
    timeout = 60_000,
  }: UnfinishedLimits = {}) {
    this.#limits = { each, eachBytes, all, allBytes, timeout };
  }

  /** Starts to count a body; `cut` is called at most once, with the reason. */
  begin(owner: string | undefined, cut: (reason: BodyError) => void): UnfinishedBody {
    const holding = this.#holdingOf(owner);
    const body = new Unfinished(this, holding, cut);
    holding.bodies.add(body);
    this.#count += 1;
    if (owner !== undefined && holding.bodies.size > this.#limits.each)
      this.#cut(stalest(holding), tooMany(429, `${this.#limits.each} of yours`));
    if (this.#count > this.#limits.all)
      this.#cut(
        stalest(this.#largest(({ bodies }) => bodies.size)),
        tooMany(503, `${this.#limits.all} in total`),
      );
    this.#watch();
    return body;
  }

  grew(body: Unfinished, bytes: number): void {
    const { holding } = body;
    // moves it to the end of the order
    holding.bodies.delete(body);
    holding.bodies.add(body);
    holding.bytes += bytes;
    this.#bytes += bytes;
    const { eachBytes, allBytes } = this.#limits;
    // a single body is limited by bodyLimit
    while (holding.owner !== undefined && holding.bytes > eachBytes && holding.bodies.size > 1)
      this.#cut(stalest(holding), tooMany(429, `${eachBytes} bytes of yours`));
    while (this.#bytes > allBytes && this.#count > 1)
      this.#cut(stalest(this.#largest((each) => each.bytes)), tooMany(503, `${allBytes} bytes in total`));
  }

  forget(body: Unfinished): void {
    const { holding } = body;
    if (!holding.bodies.delete(body)) return;
    holding.bytes -= body.bytes;
    this.#bytes -= body.bytes;
    this.#count -= 1;
    if (holding.bodies.size === 0) this.#holdings.delete(holding.owner);
  }

  #holdingOf(owner: string | undefined): Holding {
    let holding = this.#holdings.get(owner);
    if (holding === undefined) {
      holding = { owner, bodies: new Set(), bytes: 0 };
      this.#holdings.set(owner, holding);
    }
    return holding;
  }

  #largest(size: (holding: Holding) => number): Holding {
    return [...this.#holdings.values()].reduce((most, each) => (size(each) > size(most) ? each : most));
  }

  #cut(body: Unfinished, reason: BodyError): void {
    this.forget(body);
    body.cut(reason);
  }

  /** Starts the timer for all bodies; it stops when there are none. */
  #watch(): void {
    const { timeout } = this.#limits;
    this.#sweeper ??= setInterval(
      () => this.#sweep(),
      Math.min(MOST_SWEEP_MS, Math.max(LEAST_SWEEP_MS, timeout / 4)),
    ).unref();
  }

  #sweep(): void {
    const { timeout } = this.#limits;
    const latest = performance.now() - timeout;
    for (const { bodies } of [...this.#holdings.values()]) {
      for (const body of [...bodies]) {
        if (body.since <= latest)
          this.#cut(body, new BodyError(408, `the body did not arrive within ${timeout} ms; send it again`));
      }
    }
    if (this.#count > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

class Unfinished implements UnfinishedBody {
  readonly holding: Holding;
  readonly since = performance.now();
  readonly cut: (reason: BodyError) => void;
  readonly #all: UnfinishedBodies;
  bytes = 0;

  constructor(all: UnfinishedBodies, holding: Holding, cut: (reason: BodyError) => void) {
    this.#all = all;
    this.holding = holding;
    this.cut = cut;
  }

  grew(bytes: number): void {
    if (!this.holding.bodies.has(this)) return;
    this.bytes += bytes;
    this.#all.grew(this, bytes);
  }

  end(): void {
    this.#all.forget(this);
  }
}

/** The incomplete bodies of this process, for handlers without limits of their own. */
export const unfinishedOfProcess = new UnfinishedBodies();

function stalest({ bodies }: Holding): Unfinished {
  const [first] = bodies;
  return first!; // called only for owners with a body
}

function tooMany(status: 429 | 503, most: string): BodyError {
  return new BodyError(status, `too many unfinished bodies: at most ${most}; finish one before the next`);
}
