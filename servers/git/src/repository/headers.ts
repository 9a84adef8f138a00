import { ToolError } from '@rootbound/protocol';

/** The head of a commit or tag: its headers in order, as byte strings, and the bytes after the empty line. */
export interface Headed {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** a value of several lines contains its newlines, without the space that begins each line in the object */
export type Header = readonly [name: string, value: string];

/** The author, committer or tagger of an object, and the time: byte strings, with the fields that can be parsed. */
export interface Ident {
  readonly name: string;
  readonly email: string;
  /** seconds since 1970 */
  readonly time: number | undefined;
  /** as written: `+0200` */
  readonly zone: string | undefined;
}

/** Bytes of a name or a mail address that are kept. */
const LONGEST_NAME = 4096;

export function readHeaders(bytes: Buffer): Headed {
  const end = bytes.indexOf('\n\n');
  const text = bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
  const headers: [string, string][] = [];
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space === 0 && headers.length > 0) headers.at(-1)![1] += `\n${line.slice(1)}`;
    else if (space > 0) headers.push([line.slice(0, space), line.slice(space + 1)]);
  }
  return { headers, body: end === -1 ? bytes.subarray(bytes.length) : bytes.subarray(end + 2) };
}

export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1];
}

/**
 * Parses an `author`, `committer` or `tagger`; undefined where git finds none in it. As in git, the mail address is
 * between the first brackets, the date after the last one, and all but the address may be missing.
 */
export function readIdent(value: string | undefined): Ident | undefined {
  const [line = ''] = value?.split('\n', 1) ?? [];
  const open = line.indexOf('<');
  const close = line.indexOf('>', open);
  if (open === -1 || close === -1) return undefined;
  const [, digits, zone] =
    /^[ \t\r]*(\d+)[ \t\r]+([+-]\d+)/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? [];
  const time = Number(digits ?? Number.NaN);
  return {
    name: cut(line.slice(0, open).replace(/(?<![ \t\r])[ \t\r]+$/, '')),
    email: cut(line.slice(open + 1, close)),
    time: Number.isSafeInteger(time) ? time : undefined,
    zone,
  };
}

function cut(text: string): string {
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}...` : text;
}

export type SignatureKind = 'openpgp' | 'ssh' | 'x509';

const marks: readonly (readonly [string, SignatureKind])[] = [
  ['-----BEGIN PGP SIGNATURE-----', 'openpgp'],
  ['-----BEGIN PGP MESSAGE-----', 'openpgp'],
  ['-----BEGIN SSH SIGNATURE-----', 'ssh'],
  ['-----BEGIN SIGNED MESSAGE-----', 'x509'],
];

/** Returns the kind of the signature that begins here; nobody has verified it. */
export function signatureKind(text: string | undefined): SignatureKind | undefined {
  return marks.find(([mark]) => text?.startsWith(mark))?.[1];
}

export function corrupt(what: string): ToolError {
  return new ToolError(`the ${what} is corrupt`, { code: 'corrupt-object', hint: 'git fsck tells more' });
}
