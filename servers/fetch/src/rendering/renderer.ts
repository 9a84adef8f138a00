import { guarded } from '@rootbound/kit/call';
import { WebError } from '../failure.ts';
import type { Guard } from '../guard/guard.ts';
import { hostOf } from '../guard/hosts.ts';
import { portOf } from '../guard/ports.ts';
import { listsHost, type PrivateHosts, parsePrivateHosts } from '../guard/private-hosts.ts';
import { withWay } from '../web/failures.ts';
import { Lifetime } from '../web/lifetime.ts';
import type { Proxies } from '../web/proxies.ts';
import { RequestQueue } from '../web/request-queue.ts';
import type { RedirectPolicy } from '../web/visit.ts';
import type { WebClient } from '../web/web-client.ts';
import { BrowserUse } from './browser-use.ts';
import { Browsers } from './browsers.ts';
import type { PageSession } from './isolated-world.ts';
import type { BrowserOptions } from './launch-browser.ts';
import { type Arrival, Navigation } from './navigation.ts';
import { toPageFailure } from './page-failures.ts';
import { PageJudge } from './page-judge.ts';
import { waitForLoad } from './wait-for-load.ts';

export interface RendererOptions extends BrowserOptions {
  readonly guard: Guard;
  readonly web: Pick<WebClient, 'admit' | 'heed'>;
  readonly proxies: Proxies | undefined;
  readonly insecureTls: readonly string[] | undefined;
  readonly userAgent: string;
}

export interface RenderRequest {
  /** the owner, whose turns are counted */
  readonly owner: string;
  readonly url: URL;
  readonly redirects: RedirectPolicy;
  readonly deadlineMs: number;
  /** a CSS selector of an element to wait for */
  readonly waitFor?: string | undefined;
  /** whether images and fonts are loaded */
  readonly pictures: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly signal?: AbortSignal | undefined;
  /** called with the bytes received so far */
  readonly progress?: ((bytes: number, total: number | undefined) => void) | undefined;
}

/** A page that a browser displays. */
export interface BrowserPage extends PageSession {
  readonly arrival: Arrival;
  readonly wireBytes: number;
  readonly elapsedMs: number;
}

/** Pages that are rendered at once; each has its own browser. */
const PAGES = 2;
/** Pages that may wait for a turn, of one owner and in all. */
const WAITING_OF_ONE = 50;
const WAITING = 500;
/** Requests and bytes of one page. */
const REQUESTS = 300;
const BYTES = 50 * 1024 * 1024;

/** Renders pages in browsers that reach only what the guard allows. */
export class Renderer {
  readonly #options: RendererOptions;
  readonly #browsers: Browsers;
  readonly #turns = new RequestQueue({
    // limits how many of one owner's pages wait in the shared queue
    perHost: PAGES,
    total: PAGES,
    waiting: WAITING,
    waitingPerHost: WAITING_OF_ONE,
  });
  readonly #insecure: PrivateHosts;
  readonly #going = new Set<Lifetime>();

  constructor(options: RendererOptions) {
    this.#options = options;
    this.#browsers = new Browsers(options);
    this.#insecure = parsePrivateHosts(options.insecureTls ?? [], '--insecure-tls');
  }

  /**
   * Renders a page and returns what `take` returns for it. Throws a WebError if it cannot be rendered, and the reason
   * of the signal if that ended it.
   */
  async show<T>(request: RenderRequest, take: (page: BrowserPage) => Promise<T>): Promise<T> {
    request.signal?.throwIfAborted();
    this.#options.guard.assertUrl(request.url);
    const lifetime = new Lifetime(request.deadlineMs, request.signal);
    this.#going.add(lifetime);
    const journey = new Navigation({ ...this.#options, redirects: request.redirects, lifetime });
    try {
      lifetime.stage = 'turn';
      const giveTurn = await this.#turns.take(request.owner, lifetime);
      lifetime.stage = 'browser';
      const use = new BrowserUse(this.#browsers, giveTurn);
      lifetime.onOver(() => use.end());
      try {
        return await lifetime.wait(this.#open(use, journey, lifetime, request, take));
      } finally {
        use.end();
      }
    } catch (error) {
      const given = request.signal?.aborted === true && error === request.signal.reason;
      if (given || !(error instanceof WebError)) throw error;
      throw withWay(error, { ...journey.way, elapsedMs: lifetime.elapsedMs() });
    } finally {
      journey.end();
      lifetime.finish();
      this.#going.delete(lifetime);
    }
  }

  async close(): Promise<void> {
    const reason = new WebError('this server is closing', { code: 'connection-cut' });
    for (const lifetime of [...this.#going]) lifetime.stop(reason);
    await this.#browsers.close();
  }

  async #open<T>(
    use: BrowserUse,
    journey: Navigation,
    lifetime: Lifetime,
    request: RenderRequest,
    take: (page: BrowserPage) => Promise<T>,
  ): Promise<T> {
    const { guard, proxies, userAgent } = this.#options;
    const { url, pictures, viewport } = request;
    const unchecked = this.#isUnchecked(url);
    const secure = unchecked ? (other: URL) => this.#isUnchecked(other) : undefined;
    const proxy = await use.connect({ guard, proxies, bytes: BYTES, secure });
    const judge = new PageJudge({ guard, proxy, journey, requests: REQUESTS, pictures });
    const onBrowser = (): void => {
      lifetime.stage = 'tab';
    };
    const opened = await use.open(judge, { userAgent, viewport, ignoreHTTPSErrors: unchecked }, onBrowser);
    const { page, session, frame } = opened;
    judge.frame = frame;
    journey.follow(page);
    page.on(
      'requestfinished',
      guarded(
        () => request.progress?.(proxy.wireBytes, undefined),
        (error) => lifetime.stop(error),
      ),
    );
    try {
      lifetime.stage = 'page';
      await page.goto(url.href, { waitUntil: 'commit', timeout: 0 });
      await waitForLoad(page, journey, lifetime, request.waitFor);
      if (journey.refusal !== undefined) throw journey.refusal;
      const arrival = journey.arrive(page.url());
      const [wireBytes, elapsedMs] = [proxy.wireBytes, lifetime.elapsedMs()];
      return await take({ session, frame, arrival, wireBytes, elapsedMs });
    } catch (error) {
      if (error instanceof WebError) throw error;
      const unreached = journey.at && proxy.failureAt(journey.at);
      throw journey.refusal ?? opened.crash() ?? unreached ?? toPageFailure(error);
    }
  }

  #isUnchecked(url: URL): boolean {
    const host = hostOf(url);
    return host !== undefined && listsHost(this.#insecure, host, portOf(url));
  }
}
