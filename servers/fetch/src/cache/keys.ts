import { createHash } from 'node:crypto';
import { withoutFragment } from '../addresses.ts';
import type { CacheRequest, Fields, Stored } from './stored.ts';

type Addressed = Pick<CacheRequest, 'owner' | 'configuration'> & { readonly url: URL | string };

/** The name of an address for one owner under one configuration; it tells nothing of either. */
export function keyOf({ owner, configuration = '', url }: Addressed): string {
  return digest([owner, configuration, withoutFragment(url)]);
}

/** The name of one of several answers of an address. */
export function variantOf(stored: Pick<Stored, 'vary' | 'policy' | 'identity'>): string {
  return digest([stored.policy, stored.identity, inOrder(stored.vary)]).slice(0, 16);
}

/** What two requests have in common that may share an answer which is on its way. */
export function flightOf(request: CacheRequest): string {
  const { identity, redirects, headers = {} } = request;
  return `${keyOf(request)} ${digest([identity, redirects, inOrder(headers)])}`;
}

/** The request's fields that Vary names; undefined when no two requests are alike. */
export function selectingFields(
  vary: string | undefined,
  sent: Fields = {},
): Record<string, string | null> | undefined {
  const names = (vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (names.includes('*')) return undefined;
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, sentValue(sent, name)]));
}

/** Whether what is kept answers this request, be it fresh or not. */
export function answers(stored: Stored, request: CacheRequest): boolean {
  const { owner, configuration = '', url, identity, redirects, headers = {} } = request;
  if (stored.owner !== owner || stored.configuration !== configuration) return false;
  if (stored.url !== withoutFragment(url)) return false;
  // what a person may see is not kept from robots by the rules that bind them
  if (stored.identity !== identity && identity === 'autonomous') return false;
  const direct = stored.redirects.length === 0 && (stored.status < 300 || stored.status > 399);
  if (stored.policy !== redirects && !direct) return false;
  return Object.entries(stored.vary).every(([name, value]) => sentValue(headers, name) === value);
}

function sentValue(fields: Fields, name: string): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name]! : undefined;
  // white space around the members of a list means nothing
  return value === undefined ? null : value.trim().replace(/(?<!\s)\s*,\s*/g, ', ');
}

/** Fields in the order of their names. */
function inOrder<T>(fields: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
