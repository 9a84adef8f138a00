import { WebError } from '../failure.ts';
import type { Guard } from '../guard/guard.ts';
import { parseUrl } from '../web/addresses.ts';
import type { FilteringProxy } from './filtering-proxy.ts';
import type { Journey } from './journey.ts';
import type { Judge, PendingRequest } from './warm-browser.ts';

export interface PageJudgeOptions {
  readonly guard: Pick<Guard, 'assertUrl'>;
  readonly proxy: FilteringProxy;
  readonly journey: Journey;
  /** most requests of one page */
  readonly requests: number;
  /** whether images and fonts are wanted */
  readonly pictures: boolean;
}

/** Pages are not what these are for. */
const never = new Set(['Ping', 'CSPViolationReport', 'Prefetch', 'Media', 'Manifest', 'SignedExchange']);
const picturing = new Set(['Image', 'Font']);
/** These come from the page itself, or are nothing. */
const inPage = /^(?:about|blob|data):/;

/** Judges what one page wants to load. */
export class PageJudge implements Judge {
  readonly proxy: FilteringProxy;
  /** the frame of the page itself, as soon as it is there */
  frame: string | undefined;
  readonly #options: PageJudgeOptions;
  #asked = 0;

  constructor(options: PageJudgeOptions) {
    this.#options = options;
    this.proxy = options.proxy;
  }

  /** How many requests were let through. */
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

/** Browsers ask for it unasked. */
function isIcon({ pathname }: URL, type: string): boolean {
  return type === 'Other' && pathname === '/favicon.ico';
}

function unwanted(what: string): WebError {
  return new WebError(`not loaded: ${what.slice(0, 200)}`, { code: 'invalid-request' });
}
