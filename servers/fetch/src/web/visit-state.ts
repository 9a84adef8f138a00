import { type Hop, WebError } from '../failure.ts';
import { withWay } from './failures.ts';
import type { Lifetime } from './lifetime.ts';
import type { VisitLimits, VisitRequest } from './visit.ts';

/** The permissions of a visit: a request for robots.txt itself is not subject to robots.txt, and gets no secrets. */
export interface VisitPermissions {
  readonly ruled: boolean;
  readonly trusted: boolean;
}

/** The state of a visit. */
export interface VisitState extends VisitPermissions {
  readonly request: VisitRequest;
  readonly limits: VisitLimits;
  readonly lifetime: Lifetime;
  /** the redirects before the last response */
  readonly hops: Hop[];
  last: Hop | undefined;
}

/**
 * Returns the error to throw for a failure: a WebError with the redirect chain, or the reason of the caller's signal
 * unchanged.
 */
export function toVisitFailure(error: unknown, { request, hops, last, lifetime }: VisitState): unknown {
  const given = request.signal?.aborted === true && error === request.signal.reason;
  if (given || !(error instanceof WebError)) return error;
  const elapsedMs = Math.round(lifetime.elapsedMs());
  return withWay(error, { finalUrl: last?.url, status: last?.status, redirects: hops, elapsedMs });
}
