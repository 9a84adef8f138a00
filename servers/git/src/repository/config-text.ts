/** One setting: `section.key` or `section.name.key`, section and key in lower case; a key alone has no value. */
export type Setting = readonly [key: string, value: string | undefined];

/**
 * Parses the text of a git configuration, Latin-1 so that each character is a byte; undefined when git would refuse the
 * text. Parses as git 2.39, which never follows includes here.
 */
export function parseConfig(text: string): readonly Setting[] | undefined {
  return new ConfigText(text).settings();
}

const endOfText = '';

class ConfigText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.startsWith('\u00ef\u00bb\u00bf') ? text.slice(3) : text;
  }

  settings(): Setting[] | undefined {
    const found: Setting[] = [];
    let section = '';
    for (;;) {
      const next = this.#next();
      if (next === endOfText) return found;
      if (next === '#' || next === ';') this.#skipLine();
      else if (next === '[') {
        const name = this.#section();
        if (name === undefined) return undefined;
        section = `${name}.`;
      } else if (!isSpace(next)) {
        const setting = isLetter(next) ? this.#setting(section, next) : undefined;
        if (setting === undefined) return undefined;
        found.push(setting);
      }
    }
  }

  /** Returns the next character; a line end is one character in either form. */
  #next(): string {
    const next = this.#text[this.#at++] ?? endOfText;
    if (next !== '\r' || this.#text[this.#at] !== '\n') return next;
    this.#at++;
    return '\n';
  }

  #skipLine(): void {
    for (let next = this.#next(); next !== '\n' && next !== endOfText; ) next = this.#next();
  }

  #section(): string | undefined {
    let name = '';
    for (;;) {
      const next = this.#next();
      if (next === ']') return name;
      if (isSpace(next)) return this.#named(name, next);
      if (!isKey(next) && next !== '.') return undefined;
      name += next.toLowerCase();
    }
  }

  /** Parses a section with a name in quotes, which keeps its case. */
  #named(section: string, space: string): string | undefined {
    let next = space;
    while (isSpace(next)) {
      if (next === '\n') return undefined;
      next = this.#next();
    }
    if (next !== '"') return undefined;
    let name = `${section}.`;
    for (;;) {
      next = this.#next();
      if (next === '"') return this.#next() === ']' ? name : undefined;
      if (next === '\\') next = this.#next();
      if (next === '\n' || next === endOfText) return undefined;
      name += next;
    }
  }

  #setting(section: string, first: string): Setting | undefined {
    let key = section + first.toLowerCase();
    let next = this.#next();
    for (; isKey(next); next = this.#next()) key += next.toLowerCase();
    while (next === ' ' || next === '\t') next = this.#next();
    if (next === '\n' || next === endOfText) return [key, undefined];
    const value = next === '=' ? this.#value() : undefined;
    return value === undefined ? undefined : [key, value];
  }

  #value(): string | undefined {
    let value = '';
    let spaces = 0;
    let quoted = false;
    for (;;) {
      let next = this.#next();
      if (next === '\n' || next === endOfText) return quoted ? undefined : value;
      if (isSpace(next) && !quoted) {
        if (value !== '') spaces++;
        continue;
      }
      if (!quoted && (next === ';' || next === '#')) {
        this.#skipLine();
        return value;
      }
      value += ' '.repeat(spaces);
      spaces = 0;
      if (next === '"') {
        quoted = !quoted;
        continue;
      }
      if (next === '\\') {
        next = this.#next();
        if (next === '\n') continue;
        const escaped = escapes[next];
        if (escaped === undefined) return undefined;
        next = escaped;
      }
      value += next;
    }
  }
}

const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  '\\': '\\',
  '"': '"',
  // the text ends after the backslash: git reads a line end there
  [endOfText]: '',
};

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

function isLetter(character: string): boolean {
  return /^[a-z]$/i.test(character);
}

function isKey(character: string): boolean {
  return /^[a-z0-9-]$/i.test(character);
}
