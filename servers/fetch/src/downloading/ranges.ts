type Fields = Readonly<Record<string, string>>;

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** of the whole */
  readonly total: number | undefined;
}

/** The part that an answer of status 206 holds. */
export function parseContentRange(field: string | undefined): ContentRange | undefined {
  const [, from, to, of] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(field?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const total = of === '*' ? undefined : Number(of);
  const range = { first: Number(from), last: Number(to), total };
  return range.last < range.first || (total !== undefined && range.last >= total) ? undefined : range;
}

/** How long the whole is, as an answer of status 416 says. */
export function parseUnsatisfied(field: string | undefined): number | undefined {
  const [, total] = /^bytes \*\/(\d{1,15})$/i.exec(field?.trim() ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

/**
 * What If-Range may say of an answer so that its rest is only sent where it is the rest of the same: a strong ETag, or
 * a Last-Modified that is older than the answer. Undefined where the rest cannot be asked for.
 */
export function validatorOf(headers: Fields): string | undefined {
  if (/\bnone\b/i.test(headers['accept-ranges'] ?? '') || isEncoded(headers)) return undefined;
  const { etag, date = '', 'last-modified': modified } = headers;
  if (etag !== undefined) return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined;
  if (modified === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 1000 ? modified : undefined;
}

/** Returns whether an answer says by this validator that it belongs to the same whole. Silence is no word for it. */
export function matches(headers: Fields, validator: string): boolean {
  const { etag, 'last-modified': modified } = headers;
  if (isEncoded(headers)) return false;
  // a whole that had no ETag and has one now may be another
  return validator.startsWith('"') ? etag === validator : etag === undefined && modified === validator;
}

/** Returns whether an answer brings several parts, each with fields of its own. */
export function isMultipart(headers: Fields): boolean {
  return /^\s*multipart\/byteranges\b/i.test(headers['content-type'] ?? '');
}

function isEncoded(headers: Fields): boolean {
  return !/^(?:identity)?$/i.test((headers['content-encoding'] ?? '').trim());
}
