import type { LookupAddress } from 'node:dns';
import { coversHost, isEmpty } from './domains.ts';
import { type Host, parseHost } from './hosts.ts';
import { dns64Target, networkOf } from './ip-networks.ts';
import { localityOf } from './local-names.ts';
import { badPorts } from './ports.ts';
import { listsHost, listsPort } from './private-hosts.ts';
import { allowing, elsewhere, refuse, refuseAnswer, refuseLiteral } from './refusals.ts';
import type { Rules } from './rules.ts';

/** The target of a connection; the port is undefined if it is unknown. */
export interface Target {
  readonly host: Host;
  readonly port: number | undefined;
}

const LONGEST_URL = 2000;

/** Throws for a URL that no page may have, whatever its host. */
export function judgeText(url: URL): void {
  if (url.href.length > LONGEST_URL)
    throw refuse('invalid-url', `the URL is longer than ${LONGEST_URL} characters`, 'give a shorter URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(
      'scheme-refused',
      `${url.protocol} URLs are not fetched`,
      'give a URL that begins with https:// or http://',
    );
  if (url.username !== '' || url.password !== '')
    throw refuse(
      'invalid-url',
      'the URL contains a user name or password',
      'leave out the part before the @; the operator can configure secrets with --secrets',
    );
}

/** Throws if the rules do not allow a target, by the checks that need no name resolution. */
export function judgeTarget(rules: Rules, target: Target): void {
  const { host, port } = target;
  if (coversHost(rules.deny, host))
    throw refuse('domain-refused', `the operator denies ${host.text}`, 'choose another site');
  if (port !== undefined && badPorts.has(port))
    throw refuse(
      'port-refused',
      `port ${port} is blocked, because it belongs to another service`,
      'use the port of a web server',
    );
  if (listsHost(rules.privateHosts, host, port)) {
    judgePort(rules, target, allowing(host, port));
    return;
  }
  if (!isEmpty(rules.allow) && !coversHost(rules.allow, host))
    throw refuse(
      'domain-refused',
      `${host.text} is not among the domains that the operator allows`,
      'choose an allowed site; the operator can add one with --allow-domain',
    );
  if (host.literal) judgeLiteral(target);
  else judgeName(target);
  judgePort(rules, target, `the operator can allow it with --allow-port ${port}`);
}

/** Throws unless every address of a resolved name is allowed for it. */
export function judgeAnswers(rules: Rules, target: Target, answers: readonly LookupAddress[]): void {
  if (answers.length === 0)
    throw refuse(
      'name-not-found',
      `${target.host.text} has no IP address`,
      'check the spelling of the host name',
    );
  for (const { address } of answers) judgeAnswer(rules, target, address);
}

/** Throws unless an address is allowed for a host. */
export function judgeAnswer(rules: Rules, target: Target, address: string): void {
  const reach = networkOf(dns64Target(address) ?? address);
  if (reach === 'public') return;
  const { host, port } = target;
  // a listed name may resolve to private addresses, a listed address allows that address
  if (
    listsHost(rules.privateHosts, host, port) &&
    (reach === 'private' || parseHost(address)?.text === host.text)
  )
    return;
  throw refuseAnswer(host, port);
}

function judgePort(rules: Rules, { host, port }: Target, hint: string): void {
  if (port === undefined || rules.ports.has(port) || listsPort(rules.privateHosts, host, port)) return;
  throw refuse('port-refused', `port ${port} is not allowed`, hint);
}

function judgeLiteral({ host, port }: Target): void {
  const reach = networkOf(host.text);
  if (reach !== 'public') throw refuseLiteral(host, port, reach);
}

function judgeName({ host, port }: Target): void {
  const locality = localityOf(host.text);
  if (locality === undefined) return;
  if (locality === 'metadata')
    throw refuse('address-refused', `${host.text} is the metadata service of a cloud`, elsewhere);
  throw refuse('address-refused', `${host.text} is not a name of the public internet`, allowing(host, port));
}
