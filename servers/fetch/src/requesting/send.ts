import type { CallContext } from '@rootbound/protocol';
import { type Fetched, fetchThrough, readBody } from '../cache/fetch-through.ts';
import { urlsIn, urlsOf } from '../consent/urls-in.ts';
import { parseUrl } from '../fetching/load-page.ts';
import { statusFailure } from '../fetching/status-failure.ts';
import type { Reading } from '../reading/reading.ts';
import type { Visit } from '../web/visit.ts';
import type { Workspace } from '../workspace.ts';
import { type BodyArguments, messageOf } from './body.ts';

export interface RequestArguments extends BodyArguments {
  readonly url: string;
  readonly raw?: boolean | undefined;
  readonly timeout_ms?: number | undefined;
}

/** A response that was read. */
export interface Answered {
  readonly url: string;
  readonly fetched: Fetched;
  readonly reading: Reading;
}

/**
 * Sends a request once, without the cache; an unsafe method invalidates the stored responses of its URL. Throws a
 * WebError for an HTTP status of 400 and above.
 */
export async function send(
  args: RequestArguments,
  { scope: workspace, signal, progress }: CallContext<Workspace>,
): Promise<Answered> {
  const { engine, owner } = workspace;
  const url = parseUrl(args.url);
  const { headers, body } = messageOf(args);
  engine.guard.assertUrl(url);
  engine.urlPolicy.admit(owner, url, 'autonomous');
  const { method, timeout_ms: deadlineMs = engine.deadlineMs } = args;
  // the body is not sent to a site that the caller has not named
  const redirects = engine.redirects === 'follow' && isWriting(method) ? 'same-site' : engine.redirects;
  const request = { url, method, headers, identity: 'autonomous' as const, redirects };
  const visit = (ending: AbortSignal): Promise<Visit> =>
    engine.web.visit({ ...request, body, limits: { deadlineMs }, signal: ending });
  const tell = (bytes: number, total: number | undefined): void =>
    progress(bytes, total, `read ${bytes} bytes`);
  const sending = isWriting(method)
    ? fetchThrough(
        engine.cache,
        { ...request, owner, configuration: engine.configuration },
        (_, ending) => visit(ending),
        { signal, progress: tell },
      )
    : visit(signal).then((answer) => take(answer, tell));
  const fetched = await engine.urlPolicy.follow(owner, sending);
  const reading = await engine.readers.read(
    {
      bytes: fetched.body,
      contentType: fetched.headers['content-type'],
      url: fetched.finalUrl,
      want: args.raw === true ? 'source' : 'page',
      selector: undefined,
    },
    signal,
  );
  engine.urlPolicy.see(owner, [...urlsOf(fetched), ...urlsIn(reading)]);
  if (fetched.status < 400) return { url: url.href, fetched, reading };
  const { status, finalUrl, elapsedMs } = fetched;
  const way = { status, finalUrl, redirects: fetched.redirects, elapsedMs };
  throw statusFailure({ status, headers: fetched.headers, text: reading.text, way });
}

/** Returns whether a method is unsafe, so that it may change something at its URL. */
export function isWriting(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

async function take(
  visit: Visit,
  tell: (bytes: number, total: number | undefined) => void,
): Promise<Fetched> {
  const body = await readBody(visit, tell);
  const { url, status, headers, redirects } = visit;
  return {
    finalUrl: url.href,
    redirects,
    status,
    headers,
    body,
    fetchedAt: Date.now(),
    ageSeconds: 0,
    freshSeconds: 0,
    from: 'network',
    stale: false,
    wireBytes: visit.wireBytes(),
    elapsedMs: visit.elapsedMs(),
  };
}
