import { WebError } from '../failure.ts';
import type { RawHeaders } from './exchange.ts';
import { displayUrl, parseUrl } from './urls.ts';
import type { RedirectPolicy } from './visit.ts';

/** A request in a redirect chain. */
export interface Step {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const redirecting = new Set([301, 302, 303, 307, 308]);
/** caller's fields that may be sent to another origin */
const impersonal = /^(?:accept|accept-.*|cache-control|content-type|if-.*|pragma|range)$/;
const ofBody = /^content-/;

/** Returns the target of a redirect; undefined if the response is none. */
export function redirectTarget(status: number, headers: RawHeaders, from: URL): URL | undefined {
  const location = headers.location;
  if (!redirecting.has(status) || location === undefined) return undefined;
  const places = [...new Set([location].flat())];
  const target = places.length === 1 ? parseUrl(decodeLocation(places[0]!), from) : undefined;
  if (target === undefined)
    throw new WebError('the response is a redirect without a valid URL', {
      code: 'invalid-response',
      hint: 'this is an error of the web server',
    });
  if (target.hash === '') target.hash = from.hash;
  return target;
}

/** Returns the request that follows a redirect, by the Fetch standard. */
export function nextStep(step: Step, status: number, url: URL): Step {
  const { method } = step;
  const becomesGet =
    status === 303
      ? method !== 'GET' && method !== 'HEAD'
      : (status === 301 || status === 302) && method === 'POST';
  const foreign = url.origin !== step.url.origin;
  const headers = Object.entries(step.headers).filter(
    ([name]) => !(becomesGet && ofBody.test(name)) && !(foreign && !impersonal.test(name)),
  );
  return {
    url,
    method: becomesGet ? 'GET' : method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : step.body,
  };
}

/** Throws if a redirect may not be followed, apart from the guard's check of its target. */
export async function assertFollowable(from: URL, to: URL, policy: RedirectPolicy): Promise<void> {
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new WebError(`the page redirects from https to http, to ${displayUrl(to)}`, {
      code: 'redirect-refused',
      hint: 'fetch that URL if an insecure connection is acceptable',
      leadsTo: displayUrl(to),
    });
  if (policy === 'same-site' && !(await sameSite(from, to)))
    throw new WebError(`the page redirects to another site, to ${displayUrl(to)}`, {
      code: 'redirect-refused',
      hint: 'fetch that URL if it is wanted',
      leadsTo: displayUrl(to),
    });
}

/** Returns a key for the detection of redirect loops. */
export function stepKey({ method, url }: Step): string {
  const { href, hash } = url;
  return `${method} ${hash === '' ? href : href.slice(0, -hash.length)}`;
}

/** Returns whether two URLs have the same registrable domain. */
async function sameSite(a: URL, b: URL): Promise<boolean> {
  if (a.hostname === b.hostname) return true;
  const { getDomain } = await import('tldts');
  const domain = getDomain(a.hostname, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(b.hostname, { allowPrivateDomains: true });
}

/** Decodes the bytes of a Location field as UTF-8 if they are valid. */
function decodeLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? location : text;
}
