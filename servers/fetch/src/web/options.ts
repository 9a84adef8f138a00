import type { Guard } from '../guard/guard.ts';
import type { Proxies } from './proxies.ts';
import type { Secrets } from './secrets.ts';
import type { VisitLimits } from './visit.ts';

export interface WebOptions {
  /** checks every URL: of pages, redirects and robots.txt */
  readonly guard: Pick<Guard, 'assertUrl' | 'connector' | 'lookupFor'>;
  /** version of this server in its User-Agent */
  readonly version: string;
  /** replaces the User-Agent of both identities */
  readonly userAgent?: string | undefined;
  readonly ignoreRobots?: boolean | undefined;
  /** header fields for single origins, see `loadSecrets` */
  readonly secrets?: Secrets | undefined;
  /** see `readProxies` */
  readonly proxies?: Proxies | undefined;
  /** hosts whose certificates are not verified, such as `localhost` or `localhost:8443` */
  readonly insecureTls?: readonly string[] | undefined;
  /** default limits of a visit */
  readonly limits?: Partial<VisitLimits> | undefined;
  /** concurrent requests to one host, 6 unless given */
  readonly perHost?: number | undefined;
  /** concurrent requests, 128 unless given */
  readonly concurrent?: number | undefined;
  /** requests that may wait for a turn, 2000 unless given */
  readonly waiting?: number | undefined;
  /** milliseconds that a visit waits for a host that asked for a pause; 5000 unless given */
  readonly patienceMs?: number | undefined;
}

export const defaultLimits: VisitLimits = {
  wireBytes: 10 * 1024 * 1024,
  bodyBytes: 20 * 1024 * 1024,
  headerBytes: 64 * 1024,
  headerFields: 200,
  redirects: 10,
  deadlineMs: 30_000,
};

/** Returns limits with defaults for missing ones. */
export function withDefaults(limits: Partial<VisitLimits> | undefined, defaults: VisitLimits): VisitLimits {
  return { ...defaults, ...limits };
}
