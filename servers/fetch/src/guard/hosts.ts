import { isIPv6 } from 'node:net';

/** A host in the URL standard's spelling, without brackets and final dot. */
export interface Host {
  readonly text: string;
  /** an IP address, not a name */
  readonly literal: boolean;
}

const LONGEST_NAME = 253;
/** Matches IPv4 addresses in the URL standard's spelling, where no name ends in a number. */
const address = /^[\d.]+$/;
const labels = /^(?:[a-z\d_-]{1,63}\.)*[a-z\d_-]{1,63}$/;

/** Returns the host of a URL; undefined if no such name can exist. */
export function hostOf({ hostname }: URL): Host | undefined {
  if (hostname.startsWith('[')) return { text: hostname.slice(1, -1), literal: true };
  const text = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (text.length > LONGEST_NAME || !labels.test(text)) return undefined;
  return { text, literal: address.test(text) };
}

/** Parses a host in any spelling of URLs, IPv6 with or without brackets; returns undefined if it is invalid. */
export function parseHost(text: string): Host | undefined {
  // a port follows one colon, an IPv6 address has at least two; isIPv6 takes 10 ms on its first call
  const isAddress = text.indexOf(':') !== text.lastIndexOf(':') && isIPv6(text);
  const bracketed = isAddress ? `[${text}]` : text;
  if (/[/\\?#@\s]/.test(bracketed) || /^[^[].*:/.test(bracketed)) return undefined;
  const href = `http://${bracketed}/`;
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.port === '' ? hostOf(url) : undefined;
}

/** Returns a host in the spelling of a URL. */
export function bracket({ text }: Host): string {
  return text.includes(':') ? `[${text}]` : text;
}
