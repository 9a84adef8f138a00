/** Returns a name on one line: control characters, line breaks and direction marks become escapes. */
export function showName(name: string): string {
  return unsafe.test(name) ? name.replace(unsafeAll, escapeCharacter) : name;
}

// C0, C1, line and paragraph separators, the marks that reorder text on a screen, and bytes that are not UTF-8
const unsafeClass = String.raw`[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Surrogate}]`;
const unsafe = new RegExp(unsafeClass, 'u');
const unsafeAll = new RegExp(unsafeClass, 'gu');

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\r') return String.raw`\r`;
  if (character === '\t') return String.raw`\t`;
  const code = character.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) return String.raw`\x` + (code & 0xff).toString(16);
  return String.raw`\u` + code.toString(16).padStart(4, '0');
}

/** Returns a name without lookalikes: everything but plain ASCII is escaped. */
export function spellName(name: string): string {
  return showName(name).replace(/[^\x20-\x7e]/g, (unit) => {
    return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');
  });
}

export interface DecodedName {
  name: string;
  /** the name's bytes, only when they are not valid UTF-8; `name` then has the invalid bytes as \xNN */
  bytes?: Buffer;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns a directory entry's name from its bytes, given as Latin-1 text. */
export function decodeName(latin1: string): DecodedName {
  if (!/[\x80-\xff]/.test(latin1)) return { name: latin1 };
  const bytes = Buffer.from(latin1, 'latin1');
  try {
    return { name: strict.decode(bytes) };
  } catch {
    // not UTF-8: displayed with escapes, carried as bytes
    return { name: showBytes(bytes), bytes };
  }
}

function showBytes(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes)
    text += byte < 0x80 ? String.fromCharCode(byte) : String.raw`\x` + byte.toString(16);
  return text;
}

/** Returns whether it names one entry of a folder, or the folder itself as ".": nothing that leads elsewhere. */
export function isOneName(name: string | Buffer): boolean {
  if (name.length === 0 || name.includes('/') || name.includes('\0')) return false;
  // a drive, a stream or a second kind of separator
  if (process.platform === 'win32' && (name.includes('\\') || name.includes(':'))) return false;
  return String(name) !== '..';
}
