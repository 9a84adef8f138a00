import { redact } from '../run/redact.ts';
import type { ConfigEntry } from './config-list.ts';
import { textOf } from './records.ts';

/** Characters of an address at most; it is cut after its credentials are removed. */
const LONGEST_URL = 4096;

/** A setting, with its key in parts. */
export interface Setting {
  readonly section: string;
  /** a byte string as written; empty where the key has no value */
  readonly subsection: string;
  readonly name: string;
  readonly value: string | undefined;
}

export function toSetting({ key, value }: Pick<ConfigEntry, 'key' | 'value'>): Setting {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  return {
    section: key.slice(0, first),
    subsection: key.slice(first + 1, Math.max(first + 1, last)),
    name: key.slice(last + 1),
    value,
  };
}

/** Returns whether git takes the value for true. */
export function isTrue(value: string | undefined): boolean {
  return value === undefined || /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value);
}

/**
 * Returns the text of a URL without credentials. A password may hold characters that end a URL in running text, so the
 * whole text is taken.
 */
export function urlOf(bytes: string): string {
  const url = textOf(bytes).replace(/:\/\/([^/?#]*)@/g, (_, user: string, at: number, whole: string) => {
    // over HTTP a user name alone can be a token
    const isWeb = /(?<![a-z\d+.-])(?:http|ftp)s?$/i.test(whole.slice(Math.max(0, at - 6), at));
    return isWeb ? '://' : `://${user.split(':')[0]}@`;
  });
  const plain = redact(url);
  return plain.length > LONGEST_URL ? `${plain.slice(0, LONGEST_URL)}… (${plain.length} characters)` : plain;
}
