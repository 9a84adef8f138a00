import { isIPv6 } from 'node:net';

/** A host as it is judged: in the URL standard's spelling, without brackets and without the dot at its end. */
export interface Host {
  readonly text: string;
  /** an address instead of a name */
  readonly literal: boolean;
}

const LONGEST_NAME = 253;
/** What a host in the URL standard's spelling is an address by: no name there ends in a number. */
const address = /^[\d.]+$/;
const labels = /^(?:[a-z\d_-]{1,63}\.)*[a-z\d_-]{1,63}$/;

/** The host of a URL; undefined where no such name can exist. */
export function hostOf({ hostname }: URL): Host | undefined {
  if (hostname.startsWith('[')) return { text: hostname.slice(1, -1), literal: true };
  const text = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (text.length > LONGEST_NAME || !labels.test(text)) return undefined;
  return { text, literal: address.test(text) };
}

/** A host in any spelling that a URL may have, IPv6 with or without brackets; undefined where it is none. */
export function parseHost(text: string): Host | undefined {
  // with a port there is one colon, in an address at least two; Node's own look takes 10 ms the first time
  const isAddress = text.indexOf(':') !== text.lastIndexOf(':') && isIPv6(text);
  const bracketed = isAddress ? `[${text}]` : text;
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
