import { type LookupAddress, lookup as resolveBySystem } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { judgeAnswer, judgeAnswers, judgeTarget, judgeText, type Target } from './checks.ts';
import { guardConnector } from './connector.ts';
import { coversHost } from './domains.ts';
import { type Host, hostOf, parseHost } from './hosts.ts';
import { guardLookup } from './lookup.ts';
import { portOf } from './ports.ts';
import { listsHost } from './private-hosts.ts';
import { refuse } from './refusals.ts';
import { type RuleOptions, type Rules, readRules } from './rules.ts';

export interface GuardOptions extends RuleOptions {
  /** resolves names; the system's resolver unless given */
  readonly lookup?: LookupFunction | undefined;
}

/** The policy for hosts, applied before a request is sent and again when its connection is made. */
export class Guard {
  /** A `lookup` for `net` and `tls` without a port: hosts that `allowPrivate` lists with a port stay refused. */
  readonly lookup: LookupFunction;
  readonly #rules: Rules;
  readonly #resolve: LookupFunction;

  constructor(options: GuardOptions = {}) {
    this.#rules = readRules(options);
    this.#resolve = options.lookup ?? resolveBySystem;
    this.lookup = this.lookupFor(undefined);
  }

  /** Throws a WebError if a URL is not allowed, by the checks that need no name resolution. */
  assertUrl(url: URL): void {
    judgeText(url);
    judgeTarget(this.#rules, { host: known(hostOf(url)), port: portOf(url) });
  }

  /** Returns whether the operator's options name the host of a URL, as an allowed domain or as a private host. */
  names(url: URL): boolean {
    const { allow, privateHosts } = this.#rules;
    const host = hostOf(url);
    return host !== undefined && (coversHost(allow, host) || listsHost(privateHosts, host, portOf(url)));
  }

  /** Throws a WebError if a host and port are not allowed; IPv6 with or without brackets. */
  assertHost(host: string, port: number): void {
    judgeTarget(this.#rules, targetOf(host, port));
  }

  /**
   * Returns an undici connector that connects only to allowed hosts and addresses. Each connection uses the addresses
   * that were checked for it, and is closed before anything is sent if its remote address is another. Not for requests
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
   * Returns a `lookup` for connections to one port: it yields all addresses of a name, or a WebError if one of them is
   * not allowed. For a request through a proxy, `assertUrl` and this `lookup` check the target before it is sent; the
   * proxy's own address is the operator's and is not checked. The proxy resolves the name again, so it may reach
   * another address: if the name's answer changes or depends on the resolver, or if the name does not resolve here.
   * Where that matters, the proxy has to refuse private addresses itself.
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
    throw refuse('invalid-url', 'the URL has no valid host', 'check the spelling of the host name');
  return host;
}
