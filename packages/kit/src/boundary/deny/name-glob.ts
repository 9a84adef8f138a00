const segment = String.raw`(?!\.\.?(?:/|$))(?:\*(?!\*)|[^\0\\{}[\]*/]|\[[!^]?(?:\][^\]/]*|[^\]/]+)\])+`;

/**
 * Returns whether a text is a pattern of the deny list: names, `*`, `?`, `[...]`, `**` between slashes, `!` in front.
 */
export function isDenyGlob(text: string): boolean {
  return (
    text.length <= 1024 &&
    new RegExp(`^!?(?!!)/?(?:\\*\\*|${segment})(?:/(?:\\*\\*|${segment}))*/?$`).test(text)
  );
}

/**
 * Returns a name in the form for comparison: on every system without regard to case, normal form and characters that
 * some file systems ignore, since a mount can be of another kind than its system.
 */
export function foldName(name: string): string {
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) > 127) return foldWide(name);
  return name.toLowerCase();
}

function foldWide(name: string): string {
  // characters that HFS+ ignores; then upper case first, since "ſ" and "s" are one letter for APFS and differ in lower
  // case
  const seen = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return seen.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Returns a folded name without the end that Windows ignores: a stream, dots and spaces. */
export function withoutTail(name: string): string {
  let end = name.indexOf(':');
  if (end < 0) end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return name.slice(0, end);
}

/** Returns whether a pattern for one name is a plain name. */
export function isPlain(glob: string): boolean {
  return !glob.includes('*') && !glob.includes('?') && !glob.includes('[');
}

/** One character of a pattern: a star, or a set of characters. */
type Part = '*' | ((character: string) => boolean);

/** Returns the test of a folded name against a folded pattern for one name. */
export function globTest(glob: string): (name: string) => boolean {
  if (isPlain(glob)) return (name) => name === glob;
  const [head = '', tail = '', ...more] = glob.split('*');
  if (more.length === 0 && isPlain(head + tail))
    return (name) => name.length >= glob.length - 1 && name.startsWith(head) && name.endsWith(tail);
  const parts = partsOf(glob);
  return (name) => {
    const characters = Array.from(name);
    let at = 0;
    let part = 0;
    // the position of the last star, and of the text that it matched: no earlier star has to be tried again
    let star = -1;
    let taken = 0;
    while (at < characters.length) {
      const now = parts[part];
      if (now === '*') {
        star = part++;
        taken = at;
      } else if (now?.(characters[at]!)) {
        at++;
        part++;
      } else if (star >= 0) {
        part = star + 1;
        at = ++taken;
      } else return false;
    }
    return parts.slice(part).every((rest) => rest === '*');
  };
}

function partsOf(glob: string): Part[] {
  return [...glob.matchAll(/\[([!^]?)(\][^\]]*|[^\]]+)\]|./gsu)].map(([text, not, set]): Part => {
    if (text === '*') return '*';
    if (text === '?') return () => true;
    if (set === undefined) return (character) => character === text;
    const ranges = [...set.matchAll(/(.)-(.)|./gsu)];
    return (character) =>
      (not === '') === ranges.some(([one, from = one, to = one]) => from <= character && character <= to);
  });
}
