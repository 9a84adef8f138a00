import type { Guard } from '../guard/guard.ts';
import type { Proxies } from './proxies.ts';
import type { Secrets } from './secrets.ts';
import type { VisitLimits } from './visit.ts';

export interface WebOptions {
  /** judges every address, of pages, redirects and robots.txt alike */
  readonly guard: Pick<Guard, 'assertUrl' | 'connector' | 'lookupFor'>;
  /** of this server, as it names itself to others */
  readonly version: string;
  /** instead of both names that this server has */
  readonly userAgent?: string | undefined;
  readonly ignoreRobots?: boolean | undefined;
  /** fields for single origins, see `loadSecrets` */
  readonly secrets?: Secrets | undefined;
  /** see `readProxies` */
  readonly proxies?: Proxies | undefined;
  /** hosts whose certificates are not checked, as `localhost` or `localhost:8443` */
  readonly insecureTls?: readonly string[] | undefined;
  /** what a visit gets that does not say otherwise */
  readonly limits?: Partial<VisitLimits> | undefined;
  /** requests at once for one host, 6 unless given */
  readonly perHost?: number | undefined;
  /** requests at once, 128 unless given */
  readonly concurrent?: number | undefined;
  /** requests that may wait for their turn, 2000 unless given */
  readonly waiting?: number | undefined;
  /** how long a visit waits for a host that asked for a pause, ms; 5000 unless given */
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

/** What those limits become that were left out. */
export function withDefaults(limits: Partial<VisitLimits> | undefined, defaults: VisitLimits): VisitLimits {
  return { ...defaults, ...limits };
}
