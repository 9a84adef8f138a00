import { type FailureCode, WebError } from '../failure.ts';
import { bracket, type Host } from './hosts.ts';
import type { NetworkKind } from './ip-networks.ts';

const what: Readonly<Record<Exclude<NetworkKind, 'public'>, string>> = {
  private: 'is a private address',
  metadata: 'is the metadata service of a cloud',
  special: 'is not an address of the public internet',
};

/** Returns the failure for something that the caller sent. */
export function refuse(code: FailureCode, message: string, hint: string): WebError {
  return new WebError(message, { code, hint });
}

export function refuseLiteral(
  host: Host,
  port: number | undefined,
  reach: Exclude<NetworkKind, 'public'>,
): WebError {
  return refuse(
    'address-refused',
    `${host.text} ${what[reach]}`,
    reach === 'metadata' ? elsewhere : allowing(host, port),
  );
}

/** Returns the same failure for every resolved address, so that the caller learns nothing of it. */
export function refuseAnswer(host: Host, port: number | undefined): WebError {
  return refuse(
    'address-refused',
    `${host.text} does not resolve to the public internet`,
    allowing(host, port),
  );
}

/** Returns the option with which the operator can allow a host that is not public. */
export function allowing(host: Host, port: number | undefined): string {
  const suffix = port === undefined || port === 80 || port === 443 ? '' : `:${port}`;
  return `the operator can allow it with --allow-private ${bracket(host)}${suffix}`;
}

export const elsewhere = 'choose a site on the public internet';
