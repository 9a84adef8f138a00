import type { Identity } from './visit.ts';

export const PRODUCT = 'Rootbound-Fetch';

/** The names of this server in requests. */
export interface Names {
  readonly userAgents: Readonly<Record<Identity, string>>;
  /** the product token for robots.txt */
  readonly productToken: string;
}

/** Returns the names for each identity, or the operator's name for both. */
export function readNames(version: string, userAgent?: string): Names {
  const of = (who: string) => userAgent ?? `${PRODUCT}/${version} (${who})`;
  return {
    userAgents: { autonomous: of('autonomous'), user: of('user-specified') },
    productToken: /^[\w-]+/.exec(userAgent ?? '')?.[0] ?? PRODUCT,
  };
}
