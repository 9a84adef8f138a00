import { isIPv4, isIPv6 } from 'node:net';

/** A host as it is judged: in the URL standard's spelling, without brackets and without the dot at its end. */
export interface Host {
  readonly text: string;
  /** an address instead of a name */
  readonly literal: boolean;
}

const LONGEST_NAME = 253;
const labels = /^(?:[a-z\d_-]{1,63}\.)*[a-z\d_-]{1,63}$/;

/** The host of a URL; undefined where no such name can exist. */
export function hostOf({ hostname }: URL): Host | undefined {
  if (hostname.startsWith('[')) return { text: hostname.slice(1, -1), literal: true };
  const text = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (text.length > LONGEST_NAME || !labels.test(text)) return undefined;
  return { text, literal: isIPv4(text) };
}

/** A host in any spelling that a URL may have, IPv6 with or without brackets; undefined where it is none. */
export function parseHost(text: string): Host | undefined {
  const bracketed = isIPv6(text) ? `[${text}]` : text;
  if (/[/\\?#@\s]/.test(bracketed) || /^[^[].*:/.test(bracketed)) return undefined;
  const href = `http://${bracketed}/`;
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.port === '' ? hostOf(url) : undefined;
}

/** A host as it stands in a URL. */
export function bracket({ text }: Host): string {
  return text.includes(':') ? `[${text}]` : text;
}
