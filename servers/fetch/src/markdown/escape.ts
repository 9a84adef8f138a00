import { isLetter, isPunctuation, isSpace, isSpecial, isWord } from './characters.ts';

/**
 * Escapes one or several words, separated by single spaces, so that Markdown reads them as text. `before` is the
 * preceding code unit; in a link, brackets are escaped as well.
 */
export function escapeText(text: string, before: number, inLink: boolean): string {
  let out = before === 0x5d && /^[([:]/.test(text) ? '\\' : '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isSpecial(unit)) continue;
    if (at === 0 && out !== '') continue;
    const last = at === 0 ? before : text.charCodeAt(at - 1);
    if (!needsEscape(unit, last, text, at, inLink)) continue;
    out += `${text.slice(from, at)}\\`;
    from = at;
  }
  return from === 0 ? out + text : out + text.slice(from);
}

function needsEscape(unit: number, last: number, text: string, at: number, inLink: boolean): boolean {
  // any character may follow the end of the text
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

function isReference(text: string, at: number): boolean {
  return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/.test(text.slice(at, at + 36));
}

const ordered = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/** Escapes the beginning of a line that would start another block than a paragraph. */
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
