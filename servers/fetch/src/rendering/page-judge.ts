import { WebError } from '../failure.ts';
import type { Guard } from '../guard/guard.ts';
import { parseUrl } from '../web/urls.ts';
import type { FilteringProxy } from './filtering-proxy.ts';
import type { Navigation } from './navigation.ts';
import type { Judge, PendingRequest } from './warm-browser.ts';

export interface PageJudgeOptions {
  readonly guard: Pick<Guard, 'assertUrl'>;
  readonly proxy: FilteringProxy;
  readonly journey: Navigation;
  /** most requests of one page */
  readonly requests: number;
  /** whether images and fonts are loaded */
  readonly pictures: boolean;
}

/** Resource types that do not affect the content of a page. */
const never = new Set(['Ping', 'CSPViolationReport', 'Prefetch', 'Media', 'Manifest', 'SignedExchange']);
const picturing = new Set(['Image', 'Font']);
/** URLs without a request. */
const inPage = /^(?:about|blob|data):/;

/** The judge of one page's requests. */
export class PageJudge implements Judge {
  readonly proxy: FilteringProxy;
  /** id of the page's main frame, once it is known */
  frame: string | undefined;
  readonly #options: PageJudgeOptions;
  #asked = 0;

  constructor(options: PageJudgeOptions) {
    this.#options = options;
    this.proxy = options.proxy;
  }

  /** The number of requests that were allowed. */
  get asked(): number {
    return this.#asked;
  }

  async permit({ url: text, type, frame }: PendingRequest): Promise<void> {
    const { guard, proxy, journey, requests, pictures } = this.#options;
    const url = parseUrl(text);
    const isPage = type === 'Document' && frame === this.frame;
    if (url === undefined) throw unwanted(text);
    if (!isPage && inPage.test(url.protocol)) return;
    if (never.has(type) || (picturing.has(type) && !pictures) || isIcon(url, type)) throw unwanted(type);
    if (isPage) await journey.depart(url);
    else guard.assertUrl(url);
    if (this.#asked >= requests) throw unwanted('more requests than one page may send');
    this.#asked++;
    proxy.allow(url);
  }
}

/** Returns whether it is the icon that browsers request on their own. */
function isIcon({ pathname }: URL, type: string): boolean {
  return type === 'Other' && pathname === '/favicon.ico';
}

function unwanted(what: string): WebError {
  return new WebError(`not loaded: ${what.slice(0, 200)}`, { code: 'invalid-request' });
}
