import { createHash } from 'node:crypto';
import type { StoredResponse } from './stored-response.ts';

/** version of the file format; files of another version count as corrupt */
const FORM = 1;
const NEWLINE = 10;

type Head = Omit<StoredResponse, 'body'> & { readonly form: number; readonly sha256: string };

/** Encodes a response as the parts of one file: a line of JSON, then the body. */
export function encodeEntry({ body, ...facts }: StoredResponse): Buffer[] {
  const head: Head = { form: FORM, ...facts, sha256: digestOf(body) };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return [Buffer.from(`${JSON.stringify(head)}\n`), bytes];
}

/** Decodes the response of a file; returns undefined if the file is incomplete, corrupt or of another version. */
export function decodeEntry(file: Buffer): StoredResponse | undefined {
  const end = file.indexOf(NEWLINE);
  if (end === -1) return undefined;
  const head = parseHead(file.toString('utf8', 0, end));
  if (head === undefined) return undefined;
  const body = file.subarray(end + 1);
  const { form: _form, sha256, ...facts } = head;
  return digestOf(body) === sha256 ? { ...facts, body } : undefined;
}

function parseHead(line: string): Head | undefined {
  try {
    const head: unknown = JSON.parse(line);
    return isHead(head) ? head : undefined;
  } catch {
    // not JSON: the file is corrupt
    return undefined;
  }
}

const TEXTS = ['owner', 'configuration', 'url', 'identity', 'policy', 'finalUrl', 'sha256'];
const NUMBERS = ['form', 'status', 'requestedAt', 'receivedAt'];

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const head = value as Record<string, unknown>; // an object, by the line above
  return (
    head.form === FORM &&
    TEXTS.every((name) => typeof head[name] === 'string') &&
    NUMBERS.every((name) => typeof head[name] === 'number') &&
    isFields(head.headers, ['string']) &&
    isFields(head.vary, ['string', 'null']) &&
    Array.isArray(head.redirects)
  );
}

function isFields(value: unknown, kinds: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => kinds.includes(one === null ? 'null' : typeof one));
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
