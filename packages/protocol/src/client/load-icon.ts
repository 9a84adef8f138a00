import { usableIcons } from '../protocol/icons.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';
import { type ImageHeader, readImageHeader } from './image.ts';

/**
 * The bytes of an icon, and what they are, whatever the server said.
 * @example
 * const asUri = ({ mimeType, bytes }: LoadedIcon): string =>
 *   `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`;
 */
export interface LoadedIcon extends ImageHeader {
  bytes: Uint8Array;
}

/**
 * The bounds of what is loaded.
 * @example const options: LoadIconOptions = { maxBytes: 64 * 1024, timeout: 2000 };
 */
export interface LoadIconOptions {
  /** how to fetch; default the global one. It is asked not to follow redirects and to send no credentials */
  fetch?: typeof fetch;
  /** most bytes; default 256 KiB */
  maxBytes?: number;
  /** most pixels of either side; default 2,048 */
  maxPixels?: number;
  /** most frames of an animation; default 100 */
  maxFrames?: number;
  /** milliseconds; default 10,000 */
  timeout?: number;
}

const MOST_REDIRECTS = 3;
/** Matches the parts of an SVG that run code or load other files. */
const active =
  /<script|<foreignobject|<iframe|<embed|<object|<!entity|\son[a-z]+\s*=|javascript:|(?:href|src)\s*=\s*["']?\s*(?!#|data:image\/(?:png|jpeg|webp))/i;

/**
 * Loads an icon as the specification wants it: from the server's own origin or out of the URI itself, without
 * credentials, not past a redirect to somewhere else, of a known type by its bytes, within bounds, and without anything
 * in it that could run. Throws an AnswerError that says what is wrong.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
 * @example
 * const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>';
 * const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
 * const { mimeType } = await loadIcon({ src }, undefined);
 * mimeType; // => 'image/svg+xml'
 */
export async function loadIcon(
  icon: t.Icon,
  server: string | URL | undefined,
  options: LoadIconOptions = {},
): Promise<LoadedIcon> {
  if (usableIcons([icon], server).length === 0)
    throw new AnswerError('an icon must be a data: URI or come from the origin of its server');
  const { maxBytes = 256 * 1024, maxPixels = 2048, maxFrames = 100 } = options;
  const bytes = icon.src.startsWith('data:')
    ? fromDataUri(icon.src)
    : await fetchIcon(icon.src, maxBytes, options);
  if (bytes.length > maxBytes) throw new AnswerError(`an icon has more than ${maxBytes} bytes`);
  const header = readImageHeader(bytes);
  if (header === undefined) throw new AnswerError('an icon is no PNG, JPEG, WebP or SVG');
  const declaredType = icon.mimeType?.replace('image/jpg', 'image/jpeg');
  if (declaredType !== undefined && declaredType !== header.mimeType)
    throw new AnswerError(`an icon is said to be ${declaredType} and is ${header.mimeType}`);
  const { width = 0, height = 0, frames } = header;
  if (width > maxPixels || height > maxPixels)
    throw new AnswerError(`an icon is larger than ${maxPixels} pixels`);
  if (frames > maxFrames) throw new AnswerError(`an icon has more than ${maxFrames} frames`);
  if (header.mimeType === 'image/svg+xml' && active.test(Buffer.from(bytes).toString()))
    throw new AnswerError('an icon holds more than a drawing');
  return { ...header, bytes };
}

function fromDataUri(src: string): Uint8Array {
  const comma = src.indexOf(',');
  const [head, body] = [src.slice(0, comma), src.slice(comma + 1)];
  return /;base64$/i.test(head) ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body));
}

async function fetchIcon(
  src: string,
  maxBytes: number,
  { fetch: get = fetch, timeout = 10_000 }: LoadIconOptions,
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeout);
  const { origin } = new URL(src);
  for (let target = new URL(src), hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await get(target, {
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      target = new URL(location, target);
      if (target.origin !== origin) throw new AnswerError('an icon leads to another origin');
      continue;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new AnswerError(`an icon was answered with status ${response.status}`);
    }
    return readBody(response, maxBytes);
  }
  throw new AnswerError(`an icon leads further than ${MOST_REDIRECTS} times`);
}

async function readBody({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (body === null) return new Uint8Array();
  // leaving the loop ends the transfer
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) throw new AnswerError(`an icon has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
