/** Returns true if a code point belongs to the set. */
export type CharSet = (code: number) => boolean;

export const isDigit: CharSet = (code) => code >= 0x30 && code <= 0x39;

export const isWord: CharSet = (code) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x5f;

const spaces = new Set([0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);

export const isSpace: CharSet = (code) =>
  (code >= 0x09 && code <= 0x0d) || spaces.has(code) || (code >= 0x2000 && code <= 0x200a);

export const isNotLineEnd: CharSet = (code) =>
  code !== 0x0a && code !== 0x0d && code !== 0x2028 && code !== 0x2029;

export function single(wanted: number): CharSet {
  return (code) => code === wanted;
}

export function range(from: number, to: number): CharSet {
  return (code) => code >= from && code <= to;
}

export function not(set: CharSet): CharSet {
  return (code) => !set(code);
}

/** Returns the union of sets, with a table for ASCII. */
export function union(sets: readonly CharSet[]): CharSet {
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (sets.some((set) => set(code)) ? 1 : 0));
  return (code) => (code < 128 ? ascii[code] === 1 : sets.some((set) => set(code)));
}

/** Returns the code points of a Unicode property, or undefined if there is no such property. */
export function property(name: string): CharSet | undefined {
  if (!/^[A-Za-z_]+(?:=[A-Za-z_0-9]+)?$/.test(name)) return undefined;
  let native: RegExp;
  try {
    // matched against single code points only, so it cannot backtrack
    native = new RegExp(`^\\p{${name}}$`, 'u');
  } catch {
    // no such property; the caller reports it with the pattern
    return undefined;
  }
  return (code) => native.test(String.fromCodePoint(code));
}
