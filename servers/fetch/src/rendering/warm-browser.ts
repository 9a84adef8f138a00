import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright-core';

/** A request that the browser is about to send. */
export interface PendingRequest {
  readonly url: string;
  /** `Document`, `Image` and so on, as the browser names it */
  readonly type: string;
  /** the frame that wants it, where one does */
  readonly frame: string | undefined;
  readonly redirected: boolean;
}

/** Says of every request whether it may be sent; `proxy` is where pages go out, with its password. */
export interface Judge {
  readonly proxy: { readonly address: string; readonly username: string; readonly password: string };
  /** throws or rejects to refuse */
  permit(request: PendingRequest): Promise<void>;
}

/** A browser for one page at a time, whose every request is judged before it is sent. */
export class WarmBrowser {
  /** who judges for the page that is open; without one nothing is sent */
  judge: Judge | undefined;
  readonly #browser: Browser;
  readonly #session: CDPSession;

  private constructor(browser: Browser, session: CDPSession) {
    this.#browser = browser;
    this.#session = session;
  }

  static async from(browser: Browser): Promise<WarmBrowser> {
    const session = await browser.newBrowserCDPSession();
    const warm = new WarmBrowser(browser, session);
    session.on('Fetch.requestPaused', (event) => {
      const { requestId, request, resourceType: type, frameId, redirectedRequestId } = event;
      const redirected = redirectedRequestId !== undefined;
      void warm.#decide(requestId, { url: request.url, type, frame: frameId, redirected });
    });
    session.on('Fetch.authRequired', ({ requestId, authChallenge: { source, origin } }) => {
      const proxy = source === 'Proxy' && origin === warm.judge?.proxy.address ? warm.judge.proxy : undefined;
      const answer = proxy
        ? { response: 'ProvideCredentials', username: proxy.username, password: proxy.password }
        : { response: 'CancelAuth' };
      void warm.#send('Fetch.continueWithAuth', { requestId, authChallengeResponse: answer });
    });
    await session.send('Fetch.enable', { handleAuthRequests: true });
    return warm;
  }

  get isAlive(): boolean {
    return this.#browser.isConnected();
  }

  onGone(listener: () => void): void {
    this.#browser.once('disconnected', listener);
  }

  newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return this.#browser.newContext(options);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #decide(requestId: string, request: PendingRequest): Promise<void> {
    try {
      if (this.judge === undefined) throw new Error('no page is open');
      await this.judge.permit(request);
    } catch {
      // the judge has noted what counts; the page sees a request that failed
      await this.#send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    await this.#send('Fetch.continueRequest', { requestId });
  }

  /** A request may be gone by the time that it is answered. */
  async #send(...[method, params]: Parameters<CDPSession['send']>): Promise<void> {
    await this.#session.send(method, params).catch(() => {});
  }
}
