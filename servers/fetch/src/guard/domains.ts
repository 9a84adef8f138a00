import { type Host, parseHost } from './hosts.ts';

/** Domains of a list: those that stand for all below them, and those that stand for themselves alone. */
export interface Domains {
  readonly whole: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
}

/**
 * A list of domains as the operator writes it: `example.org` is that domain and all below it, `=example.org` that host
 * alone, an address that address. Letters of any script and case are taken. Throws for what is none of these.
 */
export function parseDomains(entries: readonly string[], flag: string): Domains {
  const whole = new Set<string>();
  const exact = new Set<string>();
  for (const entry of entries) {
    const alone = entry.startsWith('=');
    const host = parseDomain(alone ? entry.slice(1) : entry);
    if (host === undefined)
      throw new TypeError(
        `${flag} ${JSON.stringify(entry)} is no domain; write example.org for it and all below it, =example.org for it alone`,
      );
    (alone || host.literal ? exact : whole).add(host.text);
  }
  return { whole, exact };
}

/** Whether a list covers a host. */
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
