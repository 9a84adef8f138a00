import { type Host, parseHost } from './hosts.ts';

/** The domains of a list: those that include their subdomains, and those that do not. */
export interface Domains {
  readonly whole: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
}

/**
 * Parses the operator's list of domains: `example.org` is that domain with its subdomains, `=example.org` that host
 * only, an IP address that address. Accepts international names and any case; throws for anything else.
 */
export function parseDomains(entries: readonly string[], flag: string): Domains {
  const whole = new Set<string>();
  const exact = new Set<string>();
  for (const entry of entries) {
    const alone = entry.startsWith('=');
    const host = parseDomain(alone ? entry.slice(1) : entry);
    if (host === undefined)
      throw new TypeError(
        `${flag} ${JSON.stringify(entry)} is not a domain; write example.org to include its subdomains, =example.org for that host only`,
      );
    (alone || host.literal ? exact : whole).add(host.text);
  }
  return { whole, exact };
}

/** Returns whether a list contains a host. */
export function coversHost({ whole, exact }: Domains, host: Host): boolean {
  if (exact.has(host.text)) return true;
  if (host.literal || whole.size === 0) return false;
  for (let name = host.text; ; name = name.slice(name.indexOf('.') + 1)) {
    if (whole.has(name)) return true;
    if (!name.includes('.')) return false;
  }
}

export function isEmpty({ whole, exact }: Domains): boolean {
  return whole.size === 0 && exact.size === 0;
}

function parseDomain(text: string): Host | undefined {
  return /[*%]/.test(text) ? undefined : parseHost(text);
}
