/** Longer texts are taken in parts: each match takes many times its bytes in one call, and a lane has little memory. */
const PART = 64 << 10;

/** The text with each quote twice. */
export function doubled(text: string, quote: string): string {
  if (!text.includes(quote)) return text;
  if (text.length <= PART) return text.replaceAll(quote, quote + quote);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART)
    parts.push(text.slice(at, at + PART).replaceAll(quote, quote + quote));
  return parts.join('');
}

/** The text with one quote for each two; it has no lone surrogates, as nothing that was decoded has. */
export function undoubled(text: string, quote: string): string {
  if (!text.includes(quote)) return text;
  if (text.length <= PART) return text.replaceAll(quote + quote, quote);
  const code = quote.charCodeAt(0);
  const bytes = Buffer.from(text);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[to] = bytes[at]!;
    to += 1;
    // the second of two
    if (bytes[at] === code) at += 1;
  }
  return bytes.toString('utf8', 0, to);
}
