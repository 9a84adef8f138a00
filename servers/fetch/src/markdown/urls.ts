const schemes = /^(?:https?|ftp|mailto|tel|sms|geo|magnet|irc|ircs|xmpp):/;
const plain = /^https?:\/\/[a-z\d.-]+\/[\w./~=?&;,%:@+-]*(?:#[\w./=%-]*)?$/;

/** Returns the absolute URL of a link, or undefined if its scheme is harmful or it is invalid. */
export function resolveUrl(href: string, base: string): string | undefined {
  const short = href.trim();
  if (plain.test(short) && !short.includes('/.')) return short;
  if (!URL.canParse(short, base)) return undefined;
  const url = new URL(short, base);
  return schemes.test(url.protocol) ? url.href : undefined;
}

/** Returns a URL as the target of a Markdown link. */
export function linkTarget(url: string): string {
  const safe = /[\s\\`<>]/.test(url) ? url.replace(/[\s\\`<>]/g, encode) : url;
  return areBalanced(safe) ? safe : safe.replace(/[()]/g, '\\$&');
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function areBalanced(url: string): boolean {
  let depth = 0;
  for (let at = 0; at < url.length; at++) {
    const unit = url.charCodeAt(at);
    if (unit === 0x28) depth += 1;
    else if (unit === 0x29) depth -= 1;
    if (depth < 0 || depth > 8) return false;
  }
  return depth === 0;
}

/** Returns the URL of an image, lazily loaded or not; undefined for a placeholder. */
export function imageSource(attributes: Readonly<Record<string, string>>): string | undefined {
  const set = attributes.srcset ?? '';
  const candidates = [attributes['data-src'], attributes['data-lazy-src'], attributes['data-original']];
  for (const source of [...candidates, attributes.src, /^\s*([^\s,]+)/.exec(set.slice(0, 4_096))?.[1]])
    if (source !== undefined && source.trim() !== '' && !/^\s*data:/i.test(source)) return source;
  return undefined;
}
