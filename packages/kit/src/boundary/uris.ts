import { posix } from 'node:path';

/** The `file://` URI of an absolute path, every reserved character escaped but the separators. */
export function toFileUri(path: string): string {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const rooted = slashed.startsWith('/') ? slashed : `/${slashed}`;
  return `file://${encodeURI(rooted.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[?#]/g, encodeURIComponent)}`;
}

/**
 * The absolute path that a `file://` URI names, or undefined when it names none on this machine.
 * `?` and `#` are part of the name: file URIs have no query, and `{+path}` templates leave them as they are.
 */
export function fromFileUri(uri: string): string | undefined {
  if (!/^file:\/\//i.test(uri)) return undefined;
  const slash = uri.indexOf('/', 7);
  const host = slash < 0 ? uri.slice(7) : uri.slice(7, slash);
  if (slash < 0 || (host !== '' && host.toLowerCase() !== 'localhost')) return undefined;
  const encoded = uri.slice(slash);
  if (/%2f|%00/i.test(encoded)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    // a broken escape or bytes that are not UTF-8 name nothing
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const drive = process.platform === 'win32' ? /^\/([A-Za-z]:.*)$/s.exec(path) : null;
  return drive ? drive[1] : posix.normalize(path);
}
