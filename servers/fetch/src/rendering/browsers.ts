import { type BrowserOptions, launchBrowser } from './launch-browser.ts';
import { WarmBrowser } from './warm-browser.ts';

/** Milliseconds that an unused browser keeps running. */
const IDLE_MS = 60_000;

/** A pool of browsers that start on demand and are kept for a while. */
export class Browsers {
  readonly #options: BrowserOptions;
  readonly #idleMs: number;
  readonly #idle: WarmBrowser[] = [];
  readonly #all = new Set<Promise<WarmBrowser>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BrowserOptions, idleMs = IDLE_MS) {
    this.#options = options;
    this.#idleMs = idleMs;
  }

  /** Returns a browser for exclusive use, until `give` returns it. */
  async take(): Promise<WarmBrowser> {
    clearTimeout(this.#timer);
    const idle = this.#idle.pop();
    if (idle?.isAlive === true) return idle;
    return await this.#launch();
  }

  give(browser: WarmBrowser): void {
    if (this.#closed || !browser.isAlive) return;
    this.#idle.push(browser);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#cool(), this.#idleMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#all].map((launching) => launching.then(closeQuietly, () => {})));
  }

  #launch(): Promise<WarmBrowser> {
    const launching = launchBrowser(this.#options).then(WarmBrowser.from);
    this.#all.add(launching);
    const forget = (): boolean => this.#all.delete(launching);
    launching.then((browser) => {
      browser.onGone(forget);
      if (this.#closed) void closeQuietly(browser);
    }, forget);
    return launching;
  }

  #cool(): void {
    for (const browser of this.#idle.splice(0)) void closeQuietly(browser);
  }
}

/** Closes a browser, page or context; errors are ignored, because it may be gone already. */
export async function closeQuietly(closing: { close(): Promise<void> }): Promise<void> {
  await closing.close().catch(() => {});
}
