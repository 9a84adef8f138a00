import type { Identity } from './visit.ts';

export const PRODUCT = 'Rootbound-Fetch';

/** How this server names itself to others. */
export interface Names {
  readonly userAgents: Readonly<Record<Identity, string>>;
  /** what robots.txt calls it */
  readonly productToken: string;
}

/** The names of this server: who asks is told apart, unless the operator gives one name for all. */
export function readNames(version: string, userAgent?: string): Names {
  const of = (who: string) => userAgent ?? `${PRODUCT}/${version} (${who})`;
  return {
    userAgents: { autonomous: of('autonomous'), user: of('user-specified') },
    productToken: /^[\w-]+/.exec(userAgent ?? '')?.[0] ?? PRODUCT,
  };
}
