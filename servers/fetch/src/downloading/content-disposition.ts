const parameter = /;\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi;

/**
 * Returns the file name of a Content-Disposition field (RFC 6266); `filename*` takes precedence over `filename`. Each
 * character of the field is a byte.
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

/** Decodes an extended value (RFC 8187), which begins with its charset and language; undefined if it is invalid. */
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
    // unknown charset or invalid bytes: `filename` counts
    return undefined;
  }
}

/** Decodes bytes beyond ASCII as UTF-8 if they are valid, else as Latin-1. */
function decodeBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
