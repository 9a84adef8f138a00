import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright-core';

/** A request that the browser is about to send. */
export interface PendingRequest {
  readonly url: string;
  /** `Document`, `Image` and others, as the browser names it */
  readonly type: string;
  /** id of the frame that requests it, if any */
  readonly frame: string | undefined;
  readonly redirected: boolean;
}

/** A judge that allows or refuses each request; `proxy` is the page's proxy with its password. */
export interface Judge {
  readonly proxy: { readonly address: string; readonly username: string; readonly password: string };
  /** throws or rejects to refuse */
  permit(request: PendingRequest): Promise<void>;
}

/** A browser for one page at a time, whose every request is checked before it is sent. */
export class WarmBrowser {
  /** the judge of the open page; without one no request is sent */
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
      // the judge has recorded the reason; the page sees a failed request
      await this.#send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    await this.#send('Fetch.continueRequest', { requestId });
  }

  /** Sends a command; errors are ignored, because the request may be gone already. */
  async #send(...[method, params]: Parameters<CDPSession['send']>): Promise<void> {
    await this.#session.send(method, params).catch(() => {});
  }
}
