import { type Domains, parseDomains } from './domains.ts';
import { readPorts } from './ports.ts';
import { type PrivateHosts, parsePrivateHosts } from './private-hosts.ts';

/** The operator's rules, as options. */
export interface RuleOptions {
  /**
   * the only domains that may be fetched: `example.org` with its subdomains, `=example.org` without; all unless given
   */
  readonly allowDomains?: readonly string[] | undefined;
  /** domains that are never fetched, with precedence over all other options */
  readonly denyDomains?: readonly string[] | undefined;
  /**
   * hosts that may be fetched although they are not public: `localhost:3000` on that port, `10.0.0.5` on the usual
   * ports; `allowDomains` need not list them
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

/** Parses the options; throws a TypeError of one line with the fix for an invalid entry. */
export function readRules(options: RuleOptions): Rules {
  return {
    allow: parseDomains(options.allowDomains ?? [], '--allow-domain'),
    deny: parseDomains(options.denyDomains ?? [], '--deny-domain'),
    privateHosts: parsePrivateHosts(options.allowPrivate ?? [], '--allow-private'),
    ports: readPorts(options.allowPorts ?? [], '--allow-port'),
  };
}
