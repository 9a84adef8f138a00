const SPACE = 1;
const SPECIAL = 2;
const INVISIBLE = 3;

/** The class of each UTF-16 code unit in a scan of text. */
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

/** Returns whether a code unit may be inline markup of Markdown. */
export function isSpecial(unit: number): boolean {
  return kinds[unit] === SPECIAL;
}

/** Returns whether a text is only white space. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (kinds[text.charCodeAt(at)] !== SPACE) return false;
  return true;
}

/** Returns whether a text may contain invisible characters. */
export function mayHideCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (kinds[text.charCodeAt(at)] === INVISIBLE) return true;
  return false;
}

/** Returns whether a code unit is an ASCII letter. */
export function isLetter(unit: number): boolean {
  return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
}

/** Returns whether a code unit is punctuation in CommonMark. */
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

/** Returns whether a code unit is part of a word; 0 stands for none. */
export function isWord(unit: number): boolean {
  return unit !== 0 && kinds[unit] !== SPACE && !isPunctuation(unit);
}

/** Returns a text on one line, with normalized white space. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
