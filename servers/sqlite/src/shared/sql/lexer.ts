/** The kind of a token in SQLite's tokenizer; white space and comments are no tokens here. */
export type TokenKind =
  /** a bare word: a keyword or an identifier */
  | 'word'
  /** an identifier in "…", `…` or […] */
  | 'name'
  /** text in '…', which SQLite also accepts as an identifier where only one is possible */
  | 'string'
  | 'blob'
  | 'number'
  | 'variable'
  | 'operator'
  /** a token that ends parsing with an error */
  | 'illegal';

export interface Token {
  readonly kind: TokenKind;
  /** start and end in the text, in UTF-16 units */
  readonly start: number;
  readonly end: number;
  /** a bare word in upper case, an operator unchanged, else empty */
  readonly word: string;
}

/**
 * Splits a text into tokens as SQLite does. A NUL ends the text, and an unterminated block comment extends to its end.
 * Source: https://sqlite.org/src/file/src/tokenize.c
 */
export function tokensOf(sql: string): Token[] {
  const nul = sql.indexOf('\0');
  const text = nul === -1 ? sql : sql.slice(0, nul);
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const blank = blankEnd(text, at);
    if (blank > at) {
      at = blank;
      continue;
    }
    const [kind, end] = tokenAt(text, at);
    const word =
      kind === 'word' ? inCapitals(text.slice(at, end)) : kind === 'operator' ? text.slice(at, end) : '';
    tokens.push({ kind, start: at, end, word });
    at = end;
  }
  return tokens;
}

/** Returns the end of the white space or comment that begins here; `at` if none does. */
function blankEnd(text: string, at: number): number {
  switch (text.charAt(at)) {
    case ' ':
    case '\t':
    case '\n':
    case '\f':
    case '\r': {
      let end = at + 1;
      // a vertical tab continues white space but does not begin it
      while (end < text.length && isSpace(text.charCodeAt(end))) end += 1;
      return end;
    }
    case '\uFEFF':
      return at + 1;
    case '-': {
      if (text[at + 1] !== '-') return at;
      const end = text.indexOf('\n', at + 2);
      return end === -1 ? text.length : end;
    }
    case '/': {
      // at the end of the text it is a division and a star
      if (text[at + 1] !== '*' || at + 2 === text.length) return at;
      const end = text.indexOf('*/', at + 2);
      return end === -1 ? text.length : end + 2;
    }
    default:
      return at;
  }
}

type Piece = readonly [kind: TokenKind, end: number];

function tokenAt(text: string, at: number): Piece {
  const first = text[at]!;
  switch (first) {
    case "'":
    case '"':
    case '`':
      return quotedAt(text, at, first);
    case '[': {
      const end = text.indexOf(']', at + 1);
      return end === -1 ? ['illegal', text.length] : ['name', end + 1];
    }
    case '?': {
      let end = at + 1;
      while (isDigit(text.charCodeAt(end))) end += 1;
      return ['variable', end];
    }
    case '$':
    case '@':
    case ':':
    case '#':
      return variableAt(text, at);
    case '.':
      return isDigit(text.charCodeAt(at + 1)) ? numberAt(text, at) : ['operator', at + 1];
    case 'x':
    case 'X':
      return text[at + 1] === "'" ? blobAt(text, at) : wordAt(text, at);
    default: {
      const code = text.charCodeAt(at);
      if (isDigit(code)) return numberAt(text, at);
      return isInName(code) ? wordAt(text, at) : operatorAt(text, at);
    }
  }
}

function quotedAt(text: string, at: number, quote: string): Piece {
  for (let from = at + 1; ; ) {
    const end = text.indexOf(quote, from);
    if (end === -1) return ['illegal', text.length];
    if (text[end + 1] !== quote) return [quote === "'" ? 'string' : 'name', end + 1];
    from = end + 2;
  }
}

/** `:a`, `@a`, `$a` and `#1`; the driver's SQLite is built without Tcl's `$a::b(c)`. */
function variableAt(text: string, at: number): Piece {
  const end = nameEnd(text, at + 1);
  return [end > at + 1 ? 'variable' : 'illegal', end];
}

const NUMBER =
  /0[xX][0-9a-fA-F][0-9a-fA-F_]*|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?/y;

function numberAt(text: string, at: number): Piece {
  NUMBER.lastIndex = at;
  NUMBER.test(text);
  const end = NUMBER.lastIndex;
  const rest = nameEnd(text, end);
  return rest > end ? ['illegal', rest] : ['number', end];
}

function blobAt(text: string, at: number): Piece {
  const close = text.indexOf("'", at + 2);
  if (close === -1) return ['illegal', text.length];
  const digits = text.slice(at + 2, close);
  return [digits.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(digits) ? 'blob' : 'illegal', close + 1];
}

function wordAt(text: string, at: number): Piece {
  return ['word', nameEnd(text, at)];
}

function nameEnd(text: string, at: number): number {
  let end = at;
  while (isInName(text.charCodeAt(end))) end += 1;
  return end;
}

const twoOrMore = /->>?|==|<=|<>|<<|>=|>>|!=|\|\|/y;

function operatorAt(text: string, at: number): Piece {
  const first = text[at]!;
  if ('(),;+*%~&'.includes(first)) return ['operator', at + 1];
  twoOrMore.lastIndex = at;
  if (twoOrMore.test(text)) return ['operator', twoOrMore.lastIndex];
  return ['-/=<>|'.includes(first) ? 'operator' : 'illegal', at + 1];
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Letters, digits, `_`, `$`, and everything beyond ASCII. */
function isInName(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === 0x5f ||
    code === 0x24 ||
    code >= 0x80
  );
}

/** Returns a word in upper case, ASCII letters only: toUpperCase would turn `ı` and `ſ` into letters of keywords. */
function inCapitals(word: string): string {
  return /[^\0-\x7F]/.test(word)
    ? word.replace(/[a-z]/g, (letter) => letter.toUpperCase())
    : word.toUpperCase();
}
