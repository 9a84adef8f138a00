/** Characters replaced at once: in one call each match takes many times its size, and a lane has little memory. */
const PART = 64 << 10;

/** Returns the text with each quote doubled. */
export function doubled(text: string, quote: string): string {
  if (!text.includes(quote)) return text;
  if (text.length <= PART) return text.replaceAll(quote, quote + quote);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART)
    parts.push(text.slice(at, at + PART).replaceAll(quote, quote + quote));
  return parts.join('');
}

/** Returns the text with doubled quotes made single; decoded text has no lone surrogates. */
export function undoubled(text: string, quote: string): string {
  if (!text.includes(quote)) return text;
  if (text.length <= PART) return text.replaceAll(quote + quote, quote);
  const code = quote.charCodeAt(0);
  const bytes = Buffer.from(text);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[to] = bytes[at]!;
    to += 1;
    // skip the second of two quotes
    if (bytes[at] === code) at += 1;
  }
  return bytes.toString('utf8', 0, to);
}
