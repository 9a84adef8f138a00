import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { WebError } from '../failure.ts';
import { type Browsers, closeQuietly } from './browsers.ts';
import { FilteringProxy, type ProxyRules } from './filtering-proxy.ts';
import type { PageSession } from './isolated-world.ts';
import { crashed, toPageFailure } from './page-failures.ts';
import type { Judge, WarmBrowser } from './warm-browser.ts';

/** An empty page that is open. */
export interface OpenedPage extends PageSession {
  readonly page: Page;
  /** the failure of a crashed page or browser, if any */
  readonly crash: () => WebError | undefined;
}

/** Milliseconds that a browser may take to close a page before the browser is closed. */
const CLOSING_MS = 3000;

/** One page's use of a browser and its proxy, from its turn to its end. */
export class BrowserUse {
  readonly #browsers: Browsers;
  readonly #giveTurn: () => void;
  #taking: Promise<WarmBrowser> | undefined;
  #proxy: FilteringProxy | undefined;
  #opening: Promise<BrowserContext> | undefined;
  #ended = false;

  constructor(browsers: Browsers, giveTurn: () => void) {
    this.#browsers = browsers;
    this.#giveTurn = giveTurn;
  }

  /** Opens the page's proxy. */
  async connect(rules: ProxyRules): Promise<FilteringProxy> {
    const proxy = await FilteringProxy.open(rules);
    this.#proxy = proxy;
    if (this.#ended) proxy.close();
    return proxy;
  }

  /** Opens an empty page; `onBrowser` is called when its browser runs. */
  async open(judge: Judge, options: BrowserContextOptions, onBrowser: () => void): Promise<OpenedPage> {
    this.#assertGoing();
    this.#taking = this.#browsers.take();
    const browser = await this.#taking;
    this.#assertGoing();
    onBrowser();
    try {
      return await this.#openIn(browser, judge, options);
    } catch (error) {
      throw browser.isAlive ? toPageFailure(error) : crashed('browser');
    }
  }

  async #openIn(browser: WarmBrowser, judge: Judge, options: BrowserContextOptions): Promise<OpenedPage> {
    browser.judge = judge;
    this.#opening = browser.newContext({
      proxy: { server: judge.proxy.address, bypass: '<-loopback>' },
      serviceWorkers: 'block',
      acceptDownloads: false,
      permissions: [],
      reducedMotion: 'reduce',
      ...options,
    });
    const context = await this.#opening;
    const page = await context.newPage();
    context.on('page', (popup) => void closeQuietly(popup));
    let crash: WebError | undefined;
    page.on('crash', () => {
      crash = crashed('page');
      // rejects all calls that wait for the page
      void closeQuietly(context);
    });
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    return {
      page,
      session,
      frame: targetInfo.targetId,
      crash: () => (browser.isAlive ? crash : crashed('browser')),
    };
  }

  /** Closes the connections at once; the browser becomes available when it has closed the page. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#proxy?.close();
    void this.#clear().finally(this.#giveTurn);
  }

  async #clear(): Promise<void> {
    const browser = await this.#taking?.catch(() => undefined);
    if (browser === undefined) return;
    browser.judge = undefined;
    const context = await this.#opening?.catch(() => undefined);
    const closed = context === undefined || (await inTime(closeQuietly(context)));
    if (closed) this.#browsers.give(browser);
    else void closeQuietly(browser);
  }

  #assertGoing(): void {
    if (this.#ended) throw new Error('the page has ended');
  }
}

async function inTime(closing: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, CLOSING_MS, false);
  });
  const closed = await Promise.race([closing.then(() => true), late]);
  clearTimeout(timer);
  return closed;
}
