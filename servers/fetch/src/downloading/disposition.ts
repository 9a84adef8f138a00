const parameter = /;\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;

/**
 * The name that a Content-Disposition field gives a file (RFC 6266), as it came: the extended form counts before the
 * plain one. Each character of the field is a byte.
 */
export function dispositionName(field: string | undefined): string | undefined {
  let plain: string | undefined;
  let extended: string | undefined;
  for (const [, name, quoted, token] of (field === undefined ? '' : `;${field}`).matchAll(parameter)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
    if (name!.endsWith('*')) extended ??= decodeExtended(value);
    else plain ??= decodeBytes(Buffer.from(value, 'latin1'));
  }
  return extended ?? plain;
}

/** A value with its charset and language in front (RFC 8187); undefined where it is not what it says. */
function decodeExtended(value: string): string | undefined {
  const [, charset, encoded] = /^([\w!#$%&+^`{}~-]+)'[\w-]*'(.*)$/.exec(value) ?? [];
  if (charset === undefined || encoded === undefined || /%(?![\da-f]{2})/i.test(encoded)) return undefined;
  const bytes = Buffer.from(
    encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    // no charset, or other bytes: the plain form counts
    return undefined;
  }
}

/** What servers write beyond ASCII is UTF-8 where it can be. */
function decodeBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
