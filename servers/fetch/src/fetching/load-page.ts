import { type Fetched, fetchThrough } from '../cache/fetch-through.ts';
import { urlsIn, urlsOf } from '../consent/urls-in.ts';
import { WebError } from '../failure.ts';
import { type Snapshot, takeSnapshot, type Wish } from '../pages/page.ts';
import { newestOf, type Page } from '../pages/page-store.ts';
import type { Wanted } from '../reading/reading.ts';
import type { Identity, RedirectPolicy } from '../web/visit.ts';
import type { Workspace } from '../workspace.ts';
import type { PageArguments } from './page-arguments.ts';
import { statusFailure } from './status-failure.ts';
import { unfollowedRedirect } from './unfollowed-redirect.ts';

export interface LoadOptions {
  readonly want: Wanted;
  readonly identity?: Identity | undefined;
  readonly redirects?: RedirectPolicy | undefined;
  /** aborts the request of this caller */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number, total: number | undefined) => void) | undefined;
}

/** A page that was fetched and parsed. */
export interface Loaded {
  readonly snapshot: Snapshot;
  /** the page in the store; undefined if it is larger than the store */
  readonly page: Page | undefined;
  readonly fetched: Fetched;
}

const ACCEPT = 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5';

/**
 * Returns the page of a URL, from the cache if it is fresh. Throws a WebError if it cannot be fetched, and for an HTTP
 * status of 400 and above, with the beginning of the response.
 */
export async function loadPage(
  workspace: Workspace,
  asked: PageArguments,
  options: LoadOptions,
): Promise<Loaded> {
  const { engine, owner } = workspace;
  const url = parseUrl(asked.url);
  const { render: rendered, wait_for: waitFor } = asked;
  const wish: Wish = { url: url.href, want: options.want, selector: asked.selector, rendered, waitFor };
  const deadlineMs = asked.timeout_ms ?? engine.deadlineMs;
  const request = {
    url,
    headers: { accept: ACCEPT },
    identity: options.identity ?? ('autonomous' as const),
    redirects: options.redirects ?? engine.redirects,
  };
  engine.guard.assertUrl(url);
  engine.urlPolicy.admit(owner, url, request.identity);
  const age = { cacheOnly: asked.cache_only, maxAge: asked.max_age };
  const listening = { signal: options.signal, progress: options.onProgress };
  const plain = (): Promise<Fetched> =>
    fetchThrough(
      engine.cache,
      { ...request, owner, configuration: engine.configuration },
      (conditions, signal) =>
        engine.web.visit({
          ...request,
          headers: { ...request.headers, ...conditions },
          limits: { deadlineMs },
          signal,
        }),
      {
        ...age,
        admits: ({ finalUrl }) => isAllowed(workspace, finalUrl),
        ...listening,
      },
    );
  const fetching =
    rendered === true
      ? engine.renderedPages.fetch({ ...request, owner, waitFor, deadlineMs, ...age, ...listening })
      : plain();
  const fetched = await engine.urlPolicy.follow(owner, fetching);
  const loaded = await readFetched(workspace, wish, fetched, options.signal);
  if (loaded.page !== undefined) engine.freshness.note(loaded.page, fetched.freshSeconds);
  engine.urlPolicy.see(owner, urlsOf({ ...fetched, leadsTo: unfollowedRedirect(fetched) }));
  engine.urlPolicy.see(owner, urlsIn(loaded.snapshot.reading));
  if (fetched.status >= 400) throw refusedBy(loaded);
  return loaded;
}

/** Parses a response, unless the same one was parsed before. */
async function readFetched(
  { engine, owner }: Workspace,
  wish: Wish,
  fetched: Fetched,
  signal: AbortSignal | undefined,
): Promise<Loaded> {
  const { finalUrl, redirects, status, headers, body, elapsedMs, fetchedAt } = fetched;
  const request = {
    bytes: body,
    contentType: headers['content-type'],
    url: finalUrl,
    want: wish.want,
    selector: wish.selector,
  };
  const reading = await engine.readings.of(body, JSON.stringify([wish.want, wish.selector]), () =>
    engine.readers.read(request, signal),
  );
  const known = engine.pages.find(owner, wish);
  if (known !== undefined && newestOf(known).reading === reading)
    return { snapshot: newestOf(known), page: known, fetched };
  const way = { finalUrl, redirects, status, elapsedMs };
  const snapshot = takeSnapshot({ ...wish, way, headers, fetchedAt, reading, bytes: body });
  const page = status < 400 ? engine.pages.put(owner, snapshot) : undefined;
  return { snapshot, page, fetched };
}

/** Parses a URL; throws a WebError if it is invalid. */
export function parseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url !== null) return url;
  const hint = 'give an absolute URL, such as https://example.org/page';
  throw new WebError(`${JSON.stringify(text.slice(0, 200))} is not a URL`, { code: 'invalid-url', hint });
}

/** Returns whether the operator's options allow a URL, before its host is resolved. */
export function isAllowed({ engine }: Workspace, url: string): boolean {
  try {
    engine.guard.assertUrl(new URL(url));
    return true;
  } catch {
    return false;
  }
}

function refusedBy({ snapshot, fetched }: Loaded): WebError {
  const { status, headers } = fetched;
  return statusFailure({ status, headers, text: snapshot.reading.text, way: snapshot.way });
}
