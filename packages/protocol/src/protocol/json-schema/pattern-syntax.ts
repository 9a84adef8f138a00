import { SchemaError } from './failure.ts';
import {
  type CharSet,
  isDigit,
  isNotLineEnd,
  isSpace,
  isWord,
  not,
  property,
  range,
  single,
  union,
} from './pattern-sets.ts';

/** A regular expression as a syntax tree. */
export type Expression =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; options: Expression[] }
  | { kind: 'repeat'; body: Expression; min: number; max: number }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'inside' }
  | { kind: 'look'; ahead: boolean; negative: boolean; body: Expression };

const MAX_LENGTH = 10_000;
const MAX_NESTING = 60;
const MAX_COUNT = 10_000;

/**
 * Parses a pattern in the syntax of ECMAScript with the `u` flag, or a form that is legal without it. Throws
 * SchemaError for back references, which cannot be matched in linear time, and for invalid expressions.
 */
export function parsePattern(source: string): Expression {
  const reader = new PatternReader(source);
  const expression = reader.choice(0);
  reader.assertEnd();
  return expression;
}

const escapes: Readonly<Record<string, CharSet>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** One member of a class: a code point, which may start a range, or a set. */
type Atom = { code: number } | { set: CharSet };

class PatternReader {
  readonly #source: string;
  readonly #codes: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#codes = Array.from(source);
    if (source.length > MAX_LENGTH) throw this.#refusal('is too long');
  }

  choice(depth: number): Expression {
    if (depth > MAX_NESTING) throw this.#refusal('is nested too deeply');
    const options = [this.#sequence(depth)];
    while (this.#take('|')) options.push(this.#sequence(depth));
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  assertEnd(): void {
    if (this.#at < this.#codes.length) throw this.#refusal('has a ) without a (');
  }

  #sequence(depth: number): Expression {
    const parts: Expression[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === '|' || next === ')') break;
      parts.push(this.#quantified(this.#term(depth)));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #quantified(body: Expression): Expression {
    const bounds = this.#bounds();
    if (bounds === undefined) return body;
    this.#take('?');
    if (this.#bounds() !== undefined) throw this.#refusal('repeats a quantifier');
    const [min, max] = bounds;
    if (min > max) throw this.#refusal('has a quantifier whose bounds are out of order');
    return { kind: 'repeat', body, min, max };
  }

  #bounds(): [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const found = this.#match(/^\{(\d+)(?:(,)(\d*))?\}/);
    if (found === undefined) return undefined;
    const [, least, comma, most] = found;
    const min = Number(least);
    const max = comma === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    if (min > MAX_COUNT || (max > MAX_COUNT && Number.isFinite(max)))
      throw this.#refusal(`repeats more than ${MAX_COUNT} times`);
    return [min, max];
  }

  #term(depth: number): Expression {
    const next = this.#next();
    switch (next) {
      case '^':
        return { kind: 'edge', edge: 'start' };
      case '$':
        return { kind: 'edge', edge: 'end' };
      case '.':
        return { kind: 'set', set: isNotLineEnd };
      case '(':
        return this.#group(depth + 1);
      case '[':
        return { kind: 'set', set: this.#class() };
      case '\\':
        return this.#escaped();
      case '*':
      case '+':
      case '?':
        throw this.#refusal('has a quantifier with nothing to repeat');
      default:
        return { kind: 'set', set: single(next.codePointAt(0)!) };
    }
  }

  #group(depth: number): Expression {
    const found = this.#match(/^\?(?:(:)|(<?)([=!])|<([\p{ID_Start}$_][\p{ID_Continue}$]*)>)/u);
    if (found === undefined && this.#peek() === '?') throw this.#refusal('has a group of an unknown kind');
    const body = this.choice(depth);
    if (!this.#take(')')) throw this.#refusal('has a ( without a )');
    const [, , behind, sign] = found ?? [];
    if (sign === undefined) return body;
    return { kind: 'look', ahead: behind === '', negative: sign === '!', body };
  }

  #escaped(): Expression {
    if (this.#take('b')) return { kind: 'edge', edge: 'word' };
    if (this.#take('B')) return { kind: 'edge', edge: 'inside' };
    if (/[1-9k]/.test(this.#peek() ?? ''))
      throw this.#refusal('has a back reference, which is not supported');
    const atom = this.#atom();
    return { kind: 'set', set: 'set' in atom ? atom.set : single(atom.code) };
  }

  #class(): CharSet {
    const negative = this.#take('^');
    const sets: CharSet[] = [];
    while (!this.#take(']')) {
      const from = this.#member();
      if (this.#peek() !== '-' || this.#codes[this.#at + 1] === ']' || 'set' in from) {
        sets.push('set' in from ? from.set : single(from.code));
        continue;
      }
      this.#next();
      const to = this.#member();
      if ('set' in to) sets.push(single(from.code), single(0x2d), to.set);
      else if (from.code > to.code) throw this.#refusal('has a range that is out of order');
      else sets.push(range(from.code, to.code));
    }
    const set = union(sets);
    return negative ? not(set) : set;
  }

  #member(): Atom {
    const next = this.#next();
    if (next !== '\\') return { code: next.codePointAt(0)! };
    if (this.#take('b')) return { code: 8 };
    return this.#atom();
  }

  /** Parses the escape after a backslash. */
  #atom(): Atom {
    const next = this.#next();
    if (Object.hasOwn(escapes, next)) return { set: escapes[next]! };
    if (Object.hasOwn(controls, next)) return { code: controls[next]! };
    if (next === '0') return { code: 0 };
    if (next === 'c') {
      const letter = this.#match(/^[A-Za-z]/)?.[0];
      if (letter === undefined) throw this.#refusal('has \\c without a letter');
      return { code: letter.charCodeAt(0) % 32 };
    }
    if (next === 'x') return { code: this.#hexadecimal(/^[0-9A-Fa-f]{2}/) ?? 0x78 };
    if (next === 'u') return { code: this.#unicode() };
    if (next === 'p' || next === 'P') return this.#property(next === 'P');
    return { code: next.codePointAt(0)! };
  }

  #unicode(): number {
    const braced = this.#match(/^\{([0-9A-Fa-f]{1,6})\}/)?.[1];
    if (braced !== undefined) {
      const code = Number.parseInt(braced, 16);
      if (code > 0x10ffff) throw this.#refusal('has a code point that does not exist');
      return code;
    }
    const first = this.#hexadecimal(/^[0-9A-Fa-f]{4}/) ?? 0x75;
    if (first < 0xd800 || first > 0xdbff) return first;
    const low = this.#match(/^\\u(d[c-f][0-9a-f]{2})/i)?.[1];
    return low === undefined ? first : (first - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000;
  }

  #property(negative: boolean): Atom {
    const name = this.#match(/^\{([^}]*)\}/)?.[1];
    const set = name === undefined ? undefined : property(name);
    if (set === undefined) throw this.#refusal('has a Unicode property that does not exist');
    return { set: negative ? not(set) : set };
  }

  #hexadecimal(form: RegExp): number | undefined {
    const digits = this.#match(form)?.[0];
    return digits === undefined ? undefined : Number.parseInt(digits, 16);
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    // escapes are short, so 64 characters are enough
    const found = form.exec(this.#codes.slice(this.#at, this.#at + 64).join(''));
    if (found === null) return undefined;
    this.#at += Array.from(found[0]).length;
    return found;
  }

  #peek(): string | undefined {
    return this.#codes[this.#at];
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const next = this.#peek();
    if (next === undefined) throw this.#refusal('ends unexpectedly');
    this.#at += 1;
    return next;
  }

  #refusal(what: string): SchemaError {
    const excerpt = this.#source.length > 60 ? `${this.#source.slice(0, 60)}...` : this.#source;
    return new SchemaError(`pattern ${JSON.stringify(excerpt)} ${what}`);
  }
}
