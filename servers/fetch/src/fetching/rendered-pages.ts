import { BoundedMap } from '../bounded-map.ts';
import type { Fetched } from '../cache/fetch-through.ts';
import { WebError } from '../failure.ts';
import { renderHtml } from '../rendering/html.ts';
import type { Renderer, RenderRequest } from '../rendering/renderer.ts';
import { withoutFragment } from '../url-fragment.ts';

export interface RenderWish extends Omit<RenderRequest, 'pictures' | 'viewport'> {
  readonly owner: string;
  /** seconds: maximum age of a rendered page that is reused */
  readonly maxAge?: number | undefined;
  readonly cacheOnly?: boolean | undefined;
}

/** Seconds that a rendered page is reused unless the call says otherwise, so that its parts belong together. */
const USUAL_AGE_S = 60;
const KEPT = { count: 20, bytes: 32 * 1024 * 1024 };
const inUtf8 = 'text/html; charset=utf-8';

/** Rendered pages that are kept for a short time, apart from the HTTP cache, which stores only responses. */
export class RenderedPages {
  readonly #renderer: () => Promise<Renderer>;
  readonly #kept = new BoundedMap<Fetched>(KEPT);

  constructor(renderer: () => Promise<Renderer>) {
    this.#renderer = renderer;
  }

  /** Returns the rendered page, or one that was rendered shortly before. */
  async fetch(wish: RenderWish): Promise<Fetched> {
    const { owner, url, waitFor, maxAge = USUAL_AGE_S, cacheOnly = false } = wish;
    const key = JSON.stringify([owner, withoutFragment(url), waitFor ?? null]);
    const kept = this.#kept.get(key);
    const ageSeconds = kept === undefined ? 0 : (Date.now() - kept.fetchedAt) / 1000;
    if (kept !== undefined && (cacheOnly || ageSeconds < maxAge))
      return { ...kept, ageSeconds, from: 'cache' };
    if (cacheOnly) throw notKept(url);
    const page = await renderHtml(await this.#renderer(), wish);
    const { 'content-encoding': _, 'content-length': __, ...headers } = page.headers;
    const fetched: Fetched = {
      ...page,
      headers: { ...headers, 'content-type': inUtf8 },
      fetchedAt: Date.now(),
      ageSeconds: 0,
      freshSeconds: USUAL_AGE_S,
      from: 'network',
      stale: false,
    };
    if (fetched.status < 400) this.#kept.put(key, owner, fetched, fetched.body.length);
    return fetched;
  }
}

function notKept(url: URL): WebError {
  return new WebError('no recent rendering of this URL is cached', {
    code: 'not-cached',
    hint: 'render it without cache_only first',
    finalUrl: url.href,
  });
}
