import { dispositionName } from './content-disposition.ts';

/** Longest name in bytes of UTF-8: every file system takes it, with room for a suffix of the user's. */
const LONGEST = 200;
const LONGEST_EXTENSION = 20;

// characters that are invisible, or change the order of the others
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const forbidden = /[<>:"|?*]/g;
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

const extensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
};

/** Returns the file name of a download: from Content-Disposition, else from the URL, else from the media type. */
export function downloadName(url: URL, headers: Readonly<Record<string, string>>): string {
  return (
    safeName(dispositionName(headers['content-disposition']) ?? '') ??
    safeName(lastSegment(url)) ??
    `download${ofType(headers['content-type'])}`
  );
}

/**
 * Returns an untrusted name as one file name that every system takes: without folders and invisible characters, not
 * hidden and no device name. Undefined if nothing is left.
 */
export function safeName(stranger: string): string | undefined {
  const last = stranger.split(/[/\\]/).pop() ?? '';
  const plain = last.normalize('NFC').replace(invisible, '').replace(forbidden, '_');
  const name = shorten(plain.replace(/^[\s.]+/, '').trimEnd()).replace(/(?<![\s.])[\s.]+$/, '');
  if (name === '' || /^_+$/.test(name)) return undefined;
  return device.test(name) ? `_${name}` : name;
}

function lastSegment({ pathname }: URL): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a percent sign that encodes nothing
  }
}

function ofType(contentType = ''): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return Object.hasOwn(extensions, type) ? `.${extensions[type]}` : '';
}

/** Shortens a long name before its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= LONGEST_EXTENSION ? name.slice(dot) : '';
  const room = LONGEST - Buffer.byteLength(extension);
  const bytes = Buffer.from(name.slice(0, name.length - extension.length)).subarray(0, room);
  // removes the incomplete character at the cut
  return new TextDecoder().decode(bytes).replace(/(?<!\uFFFD)\uFFFD+$/, '') + extension;
}
