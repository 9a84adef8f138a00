import { join } from 'node:path';
import type { Fetched } from './cache/fetch-through.ts';
import { HttpCache } from './cache/http-cache.ts';
import { Consents } from './consent/consents.ts';
import { UrlPolicy } from './consent/url-policy.ts';
import { Drafts } from './downloading/drafts.ts';
import { RenderedPages } from './fetching/rendered-pages.ts';
import { Guard } from './guard/guard.ts';
import { Freshness } from './pages/freshness.ts';
import { PageStore } from './pages/page-store.ts';
import { ReaderPool } from './reading/reader-pool.ts';
import { ReadingCache } from './reading/reading-cache.ts';
import type { Renderer } from './rendering/renderer.ts';
import type { FetchExtras } from './spec.ts';
import type { WebOptions } from './web/options.ts';
import { readProxies } from './web/proxies.ts';
import { loadSecrets } from './web/secrets.ts';
import { readNames } from './web/user-agent.ts';
import type { RedirectPolicy } from './web/visit.ts';
import { WebClient } from './web/web-client.ts';

export interface EngineOptions {
  readonly extra: Partial<FetchExtras>;
  readonly version: string;
  /** the built worker that parses pages; `reader.js` beside this file unless given */
  readonly readerFile?: string | undefined;
  /** called with an owner when its list of pages changes */
  readonly pagesChanged: (owner: string) => void;
}

/** Pages that are parsed at once; each uses a processor. */
const READERS = 2;
const USUAL_SECONDS = 30;
const USUAL_DOWNLOAD = 1024 ** 3;

/** The code that fetches, parses and keeps pages; loaded by the first call that needs it. */
export class Engine {
  readonly guard: Guard;
  readonly web: WebClient;
  readonly cache: HttpCache<Fetched>;
  readonly pages: PageStore;
  readonly readers: ReaderPool;
  readonly freshness = new Freshness();
  readonly readings = new ReadingCache();
  readonly drafts: Drafts;
  readonly consents = new Consents();
  /** whether the operator named a browser to render pages */
  readonly renders: boolean;
  readonly renderedPages = new RenderedPages(() => this.renderer());
  /** decides which URLs a model may fetch */
  readonly urlPolicy: UrlPolicy;
  /** most bytes of one download */
  readonly maxDownload: number;
  /** the redirect policy of calls without one */
  readonly redirects: RedirectPolicy;
  /** the deadline of calls without one, ms */
  readonly deadlineMs: number;
  /** a fingerprint of the operator's options that change requests */
  readonly configuration: string;

  readonly #loadRenderer: () => Promise<Renderer>;
  #renderer: Promise<Renderer> | undefined;

  private constructor(options: EngineOptions, web: Omit<WebOptions, 'guard'>, cache: HttpCache<Fetched>) {
    const { extra } = options;
    this.guard = guardOf(extra);
    const confirmHosts = extra['confirm-hosts'] === true;
    const seenOnly = extra['seen-urls-only'] === true;
    this.urlPolicy = new UrlPolicy({ confirmHosts, seenOnly, isNamed: (url) => this.guard.names(url) });
    this.web = new WebClient({ ...web, guard: this.guard });
    this.cache = cache;
    this.pages = new PageStore({ changed: options.pagesChanged });
    this.readers = new ReaderPool({
      file: options.readerFile ?? join(import.meta.dirname, 'reader.js'),
      size: READERS,
    });
    const policy = (extra.redirects as RedirectPolicy | undefined) ?? 'follow'; // one of the choices of its option
    // each other site needs a confirmation of its own
    this.redirects = confirmHosts && policy === 'follow' ? 'same-site' : policy;
    this.maxDownload = extra['max-download'] ?? USUAL_DOWNLOAD;
    this.drafts = new Drafts(this.maxDownload);
    this.deadlineMs = (extra['fetch-timeout'] ?? USUAL_SECONDS) * 1000;
    this.configuration = JSON.stringify([
      extra.secrets,
      extra['proxy-url'],
      extra['insecure-tls'],
      extra['user-agent'],
    ]);
    this.renders = extra.browser !== undefined;
    this.#loadRenderer = async () => {
      const { Renderer: Loaded } = await import('./rendering/renderer.ts');
      const { proxies, insecureTls, version, userAgent } = web;
      return new Loaded({
        path: extra.browser ?? '',
        unsandboxed: extra['browser-unsandboxed'] === true,
        guard: this.guard,
        web: this.web,
        proxies,
        insecureTls,
        userAgent: readNames(version, userAgent).userAgents.autonomous,
      });
    };
    this.readers.warm();
  }

  /** Creates an engine from the options; throws a TypeError of one line for an invalid one. */
  static async open(options: EngineOptions): Promise<Engine> {
    const { extra, version } = options;
    const secrets = extra.secrets === undefined ? undefined : await loadSecrets(extra.secrets, process.env);
    const web = {
      version,
      userAgent: extra['user-agent'],
      ignoreRobots: extra['ignore-robots-txt'],
      secrets,
      proxies: readProxies({ proxyUrl: extra['proxy-url'], environment: process.env }),
      insecureTls: extra['insecure-tls'],
    };
    return new Engine(options, web, await cacheOf(extra['cache-dir']));
  }

  /** Returns the renderer; the first call loads it. */
  renderer(): Promise<Renderer> {
    this.#renderer ??= this.#loadRenderer();
    return this.#renderer;
  }

  async close(): Promise<void> {
    this.drafts.close();
    const renderer = this.#renderer?.then((loaded) => loaded.close());
    await Promise.all([this.readers.close(), this.web.close(), renderer]);
  }
}

function guardOf(extra: Partial<FetchExtras>): Guard {
  return new Guard({
    allowDomains: extra['allow-domain'],
    denyDomains: extra['deny-domain'],
    allowPrivate: extra['allow-private'],
    allowPorts: extra['allow-port']?.map(Number),
  });
}

async function cacheOf(folder: string | undefined): Promise<HttpCache<Fetched>> {
  if (folder === undefined) return new HttpCache();
  const { FileStore } = await import('./cache/file-store.ts');
  return new HttpCache({ store: new FileStore({ folder }) });
}
