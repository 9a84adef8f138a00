import { type Domains, parseDomains } from './domains.ts';
import { readPorts } from './ports.ts';
import { type PrivateHosts, parsePrivateHosts } from './private-hosts.ts';

/** What the operator allows and denies. */
export interface RuleOptions {
  /** domains that may be fetched alone: `example.org` with all below it, `=example.org` without; all unless given */
  readonly allowDomains?: readonly string[] | undefined;
  /** domains that are never fetched, whatever else allows them */
  readonly denyDomains?: readonly string[] | undefined;
  /**
   * hosts that may be fetched although they are not public: `localhost:3000` on that port, `10.0.0.5` on the usual
   * ones; they need not stand in `allowDomains`
   */
  readonly allowPrivate?: readonly string[] | undefined;
  /** ports besides 80 and 443 */
  readonly allowPorts?: readonly number[] | undefined;
}

export interface Rules {
  readonly allow: Domains;
  readonly deny: Domains;
  readonly privateHosts: PrivateHosts;
  readonly ports: ReadonlySet<number>;
}

/** The rules that these options make; throws a TypeError of one line with the fix where an entry has no meaning. */
export function readRules(options: RuleOptions): Rules {
  return {
    allow: parseDomains(options.allowDomains ?? [], '--allow-domain'),
    deny: parseDomains(options.denyDomains ?? [], '--deny-domain'),
    privateHosts: parsePrivateHosts(options.allowPrivate ?? [], '--allow-private'),
    ports: readPorts(options.allowPorts ?? [], '--allow-port'),
  };
}
