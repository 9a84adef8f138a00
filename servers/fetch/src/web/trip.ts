import { type Hop, WebError } from '../failure.ts';
import { withWay } from './failures.ts';
import type { Lifetime } from './lifetime.ts';
import type { VisitLimits, VisitRequest } from './visit.ts';

/** What a visit may do: robots.txt does not bind the visit to itself, nor does it get secrets. */
export interface Warrant {
  readonly ruled: boolean;
  readonly trusted: boolean;
}

/** A visit under way, and what it has met. */
export interface Trip extends Warrant {
  readonly request: VisitRequest;
  readonly limits: VisitLimits;
  readonly lifetime: Lifetime;
  /** the answers before the last one */
  readonly hops: Hop[];
  last: Hop | undefined;
}

/** What is thrown for a failure: WebErrors tell the way so far, the reason of the caller's signal stays what it is. */
export function toVisitFailure(error: unknown, { request, hops, last, lifetime }: Trip): unknown {
  const given = request.signal?.aborted === true && error === request.signal.reason;
  if (given || !(error instanceof WebError)) return error;
  const elapsedMs = Math.round(lifetime.elapsedMs());
  return withWay(error, { finalUrl: last?.url, status: last?.status, redirects: hops, elapsedMs });
}
