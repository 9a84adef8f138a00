import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { guardConnector } from './connector.ts';
import { coversHost } from './domains.ts';
import { type Host, hostOf, parseHost } from './hosts.ts';
import { judgeAnswer, judgeAnswers, judgeTarget, judgeText, type Target } from './judgement.ts';
import { guardLookup } from './lookup.ts';
import { portOf } from './ports.ts';
import { listsHost } from './private-hosts.ts';
import { refuse } from './refusals.ts';
import { type RuleOptions, type Rules, readRules } from './rules.ts';

export interface GuardOptions extends RuleOptions {
  /** how names are resolved; as the system does unless given */
  readonly lookup?: LookupFunction | undefined;
}

/** Says what may be reached, before anything is sent and again while a connection is made. */
export class Guard {
  /** A `lookup` for `net` and `tls` that knows no port: hosts that `allowPrivate` lists with one stay refused. */
  readonly lookup: LookupFunction;
  readonly #rules: Rules;
  readonly #resolve: LookupFunction;

  constructor(options: GuardOptions = {}) {
    this.#rules = readRules(options);
    this.#resolve = options.lookup ?? resolveBySystem;
    this.lookup = this.lookupFor(undefined);
  }

  /** Throws a WebError where a URL may not be asked, as far as can be seen without resolving its host. */
  assertUrl(url: URL): void {
    judgeText(url);
    judgeTarget(this.#rules, { host: known(hostOf(url)), port: portOf(url) });
  }

  /** Whether the operator names the host of a URL, as a domain that may be fetched or as a private host. */
  names(url: URL): boolean {
    const { allow, privateHosts } = this.#rules;
    const host = hostOf(url);
    return host !== undefined && (coversHost(allow, host) || listsHost(privateHosts, host, portOf(url)));
  }

  /** The same for a host in any spelling, IPv6 with or without brackets, and a port. */
  assertHost(host: string, port: number): void {
    judgeTarget(this.#rules, targetOf(host, port));
  }

  /**
   * Makes connections for undici to what this guard allows alone, names and addresses alike. Each uses the addresses
   * that were judged for it and no others, and is closed before anything is sent if it ends elsewhere. Not for what goes
   * through a proxy.
   */
  connector(options: buildConnector.BuildOptions = {}): buildConnector.connector {
    return guardConnector(options, {
      target: (hostname, port) => this.assertHost(hostname, port),
      lookupFor: (port) => this.lookupFor(port),
      reached: (hostname, port, address) => judgeAnswer(this.#rules, targetOf(hostname, port), address),
    });
  }

  /**
   * A `lookup` for connections to one port: it answers with all addresses of a name, or with a WebError where one of them
   * may not be reached.
   *
   * Also for requests through a proxy, before they are sent: the proxy's own address is the operator's and is not judged,
   * but its target is, by `assertUrl` and by this. The proxy then resolves the name again, so it may be led elsewhere: by
   * a name whose answer changes or depends on who asks, and by a name that has no answer here. Where that matters, the
   * proxy has to refuse private addresses itself.
   */
  lookupFor(port: number | undefined): LookupFunction {
    return guardLookup(this.#resolve, (hostname) => {
      const target = targetOf(hostname, port);
      judgeTarget(this.#rules, target);
      return (answers: readonly LookupAddress[]) => judgeAnswers(this.#rules, target, answers);
    });
  }
}

function targetOf(hostname: string, port: number | undefined): Target {
  return { host: known(parseHost(hostname)), port };
}

function known(host: Host | undefined): Host {
  if (host === undefined)
    throw refuse(
      'invalid-url',
      'the address has no host that can exist',
      'check the spelling of the host name',
    );
  return host;
}
