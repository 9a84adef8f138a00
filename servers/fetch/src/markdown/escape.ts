const SPACE = 1;
const SPECIAL = 2;
const INVISIBLE = 3;

/** What each UTF-16 code unit is for a scan of text. */
const kinds = new Uint8Array(65_536);
for (const unit of '\t\n\v\f\r \u0085\u00a0\u2028\u2029') kinds[unit.charCodeAt(0)] = SPACE;
for (const unit of '\\`*_~[]<&') kinds[unit.charCodeAt(0)] = SPECIAL;
for (const [from, to] of [
  [0, 8],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd834, 0xd834],
  [0xdb40, 0xdb43],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
] as const)
  kinds.fill(INVISIBLE, from, to + 1);

export function isSpace(unit: number): boolean {
  return kinds[unit] === SPACE;
}

/** Whether text has nothing but white space. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (kinds[text.charCodeAt(at)] !== SPACE) return false;
  return true;
}

/** Whether a text may have characters without a shape. */
export function mayHideCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (kinds[text.charCodeAt(at)] === INVISIBLE) return true;
  return false;
}

/** Whether Markdown takes a code unit for punctuation. */
export function isPunctuation(unit: number): boolean {
  if (unit < 128)
    return (
      (unit > 32 && unit < 48) ||
      (unit > 57 && unit < 65) ||
      (unit > 90 && unit < 97) ||
      (unit > 122 && unit < 127)
    );
  return /[\p{P}\p{S}]/u.test(String.fromCharCode(unit));
}

function isWord(unit: number): boolean {
  return unit !== 0 && kinds[unit] !== SPACE && !isPunctuation(unit);
}

/** Whether emphasis could neither begin nor end between two characters as it should. */
export function isStuck(outer: number, inner: number): boolean {
  return isWord(outer) && isPunctuation(inner);
}

/**
 * A word of text, or several with single spaces between them, so that Markdown reads it as it stands. `before` is the
 * code unit in front of it; in a link its brackets are escaped as well.
 */
export function escapeText(text: string, before: number, inLink: boolean): string {
  let out = before === 0x5d && /^[([:]/.test(text) ? '\\' : '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (kinds[unit] !== SPECIAL) continue;
    if (at === 0 && out !== '') continue;
    const last = at === 0 ? before : text.charCodeAt(at - 1);
    if (!needsEscape(unit, last, text, at, inLink)) continue;
    out += `${text.slice(from, at)}\\`;
    from = at;
  }
  return from === 0 ? out + text : out + text.slice(from);
}

function needsEscape(unit: number, last: number, text: string, at: number, inLink: boolean): boolean {
  // what ends here may be followed by anything
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : -1;
  switch (unit) {
    case 0x5c: // \
      return next < 0 || (next < 128 && isPunctuation(next));
    case 0x60: // `
      return true;
    case 0x7e: // ~
      if ((last === 0 || isSpace(last)) && next >= 0x30 && next <= 0x39) return false;
      return !((last === 0 || isSpace(last)) && next >= 0 && isSpace(next));
    case 0x2a: // *
      return !((last === 0 || isSpace(last)) && next >= 0 && isSpace(next));
    case 0x5f: // _
      return !(isWord(last) && isWord(Math.max(next, 0))) && !(isSpace(last) && next >= 0 && isSpace(next));
    case 0x5b: // [
      return inLink || next === 0x5e;
    case 0x5d: // ]
      return inLink || next === 0x28 || next === 0x5b || next === 0x3a;
    case 0x3c: // <
      return next < 0 || next === 0x21 || next === 0x2f || next === 0x3f || isLetter(next);
    case 0x26: // &
      return (next === 0x23 || isLetter(next)) && isReference(text, at);
    default:
      return false;
  }
}

function isLetter(unit: number): boolean {
  return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
}

function isReference(text: string, at: number): boolean {
  return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/.test(text.slice(at, at + 36));
}

const ordered = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/** A line of escaped text that cannot be taken for the beginning of anything but a paragraph. */
export function escapeLine(line: string, first: boolean): string {
  switch (line.charCodeAt(0)) {
    case 0x23: // #
      return /^#{1,6}(?:[ \t]|$)/.test(line) ? `\\${line}` : line;
    case 0x3e: // >
      return `\\${line}`;
    case 0x2d: // -
    case 0x2b: // +
    case 0x2a: // *
      if (/^[-+*](?:[ \t]|$)/.test(line) || isRule(line)) return `\\${line}`;
      break;
    case 0x3d: // =
      return !first && isRule(line) ? `\\${line}` : line;
    case 0x7e: // ~
      return line.startsWith('~~~') ? `\\${line}` : line;
    case 0x5b: // [
      if (/^\[[ xX]\](?:[ \t]|$)/.test(line)) return `\\${line}`;
      return line.replace(/^(\[\^[^\]]{1,99}\]):/, '$1\\:');
    default:
      if (line.charCodeAt(0) >= 0x30 && line.charCodeAt(0) <= 0x39) return line.replace(ordered, '$1\\$2');
  }
  return !first && /^[|:\- ]+$/.test(line) ? `\\${line}` : line;
}

function isRule(line: string): boolean {
  return /^(?:-+|=+)[ \t]*$/.test(line);
}
