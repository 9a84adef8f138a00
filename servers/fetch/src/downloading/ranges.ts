type Fields = Readonly<Record<string, string>>;

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** length of the whole file */
  readonly total: number | undefined;
}

/** Parses the Content-Range field of a 206 response. */
export function parseContentRange(field: string | undefined): ContentRange | undefined {
  const [, from, to, of] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(field?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const total = of === '*' ? undefined : Number(of);
  const range = { first: Number(from), last: Number(to), total };
  return range.last < range.first || (total !== undefined && range.last >= total) ? undefined : range;
}

/** Parses the length of the whole file from the Content-Range field of a 416 response. */
export function parseUnsatisfied(field: string | undefined): number | undefined {
  const [, total] = /^bytes \*\/(\d{1,15})$/i.exec(field?.trim() ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

/**
 * Returns the validator for If-Range: a strong ETag, or a Last-Modified that is older than the response. Undefined if
 * the rest of the file cannot be requested safely.
 */
export function validatorOf(headers: Fields): string | undefined {
  if (/\bnone\b/i.test(headers['accept-ranges'] ?? '') || isEncoded(headers)) return undefined;
  const { etag, date = '', 'last-modified': modified } = headers;
  if (etag !== undefined) return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined;
  if (modified === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 1000 ? modified : undefined;
}

/** Returns whether a response has the validator, and so belongs to the same file. */
export function matches(headers: Fields, validator: string): boolean {
  const { etag, 'last-modified': modified } = headers;
  if (isEncoded(headers)) return false;
  // a file that had no ETag and has one now may be another
  return validator.startsWith('"') ? etag === validator : etag === undefined && modified === validator;
}

/** Returns whether a response has several parts, each with header fields of its own. */
export function isMultipart(headers: Fields): boolean {
  return /^\s*multipart\/byteranges\b/i.test(headers['content-type'] ?? '');
}

function isEncoded(headers: Fields): boolean {
  return !/^(?:identity)?$/i.test((headers['content-encoding'] ?? '').trim());
}
