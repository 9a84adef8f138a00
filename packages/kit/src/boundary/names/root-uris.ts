import { posix } from 'node:path';

/** Returns the `file://` URI of an absolute path; `encode` encodes the path in it. */
export function uriOfPath(
  path: string,
  platform: NodeJS.Platform = process.platform,
  encode: (path: string) => string = encodeText,
): string {
  if (platform !== 'win32') return `file://${encode(path.startsWith('/') ? path : `/${path}`)}`;
  const slashed = path.replaceAll('\\', '/');
  // for a network path the server is the host
  return `file:${encode(slashed.startsWith('//') ? slashed : `///${slashed.replace(/^\//, '')}`)}`;
}

/** Returns a path in a URI, every reserved character escaped except the separators. */
export function encodeText(path: string): string {
  return encodeURI(path.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[?#]/g, encodeURIComponent);
}

/** Returns the absolute path that a `file://` URI names, or undefined when it names none on this machine. */
export function pathOfUri(
  uri: string,
  platform: NodeJS.Platform = process.platform,
  decode: (encoded: string) => string | undefined = decodeText,
): string | undefined {
  const windows = platform === 'win32';
  const parts = /^file:(?:\/\/([^/]*))?(\/.*)$/is.exec(windows ? uri.replaceAll('\\', '/') : uri);
  // an escaped separator would be part of a name, and no name has one
  if (parts === null || /%2f|%00|\0/i.test(uri) || (windows && /%5c/i.test(uri))) return undefined;
  const path = decode(parts[2]!);
  const host = parts[1]?.toLowerCase() === 'localhost' ? '' : (parts[1] ?? '');
  if (path === undefined || (host !== '' && !windows)) return undefined;
  return windows ? windowsPathOf(host, path) : posix.normalize(path);
}

/** Returns the decoded escapes, undefined when they are broken or not UTF-8. */
export function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // it names nothing that is text
    return undefined;
  }
}

function windowsPathOf(host: string, path: string): string {
  // file://C:/x, as some programs write it
  if (/^[a-z](?::|\||%3a)$/i.test(host)) return `${host.slice(0, 1)}:${path}`;
  if (host !== '') return `//${host}${path}`;
  const drive = /^\/+([a-z])[:|](.*)$/is.exec(path);
  return drive === null ? path : `${drive[1]}:${drive[2] || '/'}`;
}
