import type { Glob } from './glob.ts';
import { toText } from './order.ts';
import { SearchError } from './query.ts';
import { type CharacterTest, readCharacter } from './segment.ts';

/** A part of a pattern, which maps a position in a path to the positions after its matches. */
type Part =
  | { readonly kind: 'character'; readonly accepts: CharacterTest }
  | { readonly kind: 'star' | 'folders' | 'below' }
  | { readonly kind: 'group'; readonly repeats: Repeats; readonly alternatives: readonly Alternative[] };
type Alternative = readonly Part[];

/** How often an alternative of a group must match; `none`: a part of a name that no alternative matches. */
type Repeats = 'once' | 'optional' | 'any' | 'some' | 'none';

const groups: Readonly<Record<string, Repeats>> = {
  '@': 'once',
  '?': 'optional',
  '*': 'any',
  '+': 'some',
  '!': 'none',
};

/** Maximum number of values of a range such as `{1..100}`. */
const MOST_VALUES = 1000;
/** Maximum nesting of groups. */
const MOST_DEPTH = 8;
/** Maximum number of steps for one path and one pattern. */
const MOST_STEPS = 1_000_000;

/**
 * Returns the glob of a pattern with braces, extended groups or negation, as bash defines them. It tracks all possible
 * positions in a path at once and counts steps, so that no pattern causes backtracking.
 *
 * @throws SearchError if groups are nested too deeply, a range has too many values, or a path takes too many steps
 */
export function extendedGlob(pattern: string): Glob {
  const [, marks = '', rest = ''] = /^((?:!(?!\())*)(.*)$/s.exec(pattern) ?? [];
  const alternative = new Reader(rest).read();
  const isNegated = marks.length % 2 === 1;
  return {
    inside: (prefix) => {
      const directory = toText(prefix);
      return (name) => new Walk(Array.from(directory + toText(name))).matches(alternative) !== isNegated;
    },
    reaches: () => true,
  };
}

/** Parses a pattern into its parts. */
class Reader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  read(): Alternative {
    return this.#alternative(() => false);
  }

  /** Parses parts up to the end of an alternative or of the pattern. */
  #alternative(ends: (character: string) => boolean): Alternative {
    const parts: Part[] = [];
    const begin = this.#at;
    while (this.#at < this.#characters.length && !ends(this.#characters[this.#at]!))
      parts.push(this.#part(begin, ends));
    return parts;
  }

  #part(begin: number, ends: (character: string) => boolean): Part {
    const character = this.#characters[this.#at]!;
    const repeats = this.#characters[this.#at + 1] === '(' ? groups[character] : undefined;
    const group =
      repeats === undefined
        ? character === '{'
          ? this.#braces()
          : undefined
        : this.#group(repeats, this.#at + 2, '|', ')');
    if (group !== undefined) return group;
    if (character === '*') return this.#stars(begin, ends);
    const read = readCharacter(this.#characters, this.#at);
    this.#at = read.end;
    return { kind: 'character', accepts: read.accepts };
  }

  /** Parses stars: `**` as a whole segment matches folders; other stars match characters of a name. */
  #stars(begin: number, ends: (character: string) => boolean): Part {
    const from = this.#at;
    while (this.#characters[this.#at] === '*' && groupAt(this.#characters, this.#at) === undefined)
      this.#at++;
    const next = this.#characters[this.#at];
    const isName = from === begin || this.#characters[from - 1] === '/';
    if (this.#at - from !== 2 || !isName) return { kind: 'star' };
    if (next === '/') {
      this.#at++;
      return { kind: 'folders' };
    }
    return next === undefined || ends(next) ? { kind: 'below' } : { kind: 'star' };
  }

  /** Parses `{a,b}` or a range; undefined if the brace is a literal character. */
  #braces(): Part | undefined {
    const range = rangeAt(this.#characters, this.#at);
    if (range !== undefined) {
      this.#at = range.end;
      return { kind: 'group', repeats: 'once', alternatives: range.values.map(literally) };
    }
    return this.#group('once', this.#at + 1, ',', '}');
  }

  /** Parses the alternatives of a group; undefined, at the same position, if it is not closed or a brace has only one. */
  #group(repeats: Repeats, from: number, between: string, close: string): Part | undefined {
    const before = this.#at;
    if (this.#depth === MOST_DEPTH)
      throw new SearchError('pattern', `glob is too complex: groups are nested more than ${MOST_DEPTH} deep`);
    this.#depth++;
    this.#at = from;
    const alternatives: Alternative[] = [];
    let isClosed = false;
    while (!isClosed && this.#at <= this.#characters.length) {
      alternatives.push(this.#alternative((character) => character === between || character === close));
      isClosed = this.#characters[this.#at] === close;
      this.#at++;
    }
    this.#depth--;
    if (isClosed && (close === ')' || alternatives.length > 1))
      return { kind: 'group', repeats, alternatives };
    this.#at = before;
    return undefined;
  }
}

function groupAt(characters: readonly string[], at: number): Repeats | undefined {
  return characters[at + 1] === '(' ? groups[characters[at]!] : undefined;
}

function literally(text: string): Alternative {
  return Array.from(text, (wanted) => ({ kind: 'character', accepts: (character) => character === wanted }));
}

/** Parses `{1..9}`, `{01..10}`, `{a..e}` or one of these with a step. */
function rangeAt(characters: readonly string[], at: number): { end: number; values: string[] } | undefined {
  const text = characters.slice(at, at + 40).join('');
  const [whole, from, to, by = '1'] =
    /^\{(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?(\d{1,9}))?\}/.exec(text) ?? [];
  if (whole === undefined || from === undefined || to === undefined) return undefined;
  const isLetters = /[A-Za-z]/.test(from);
  if (isLetters !== /[A-Za-z]/.test(to)) return undefined;
  const numberOf = (end: string) => (isLetters ? end.charCodeAt(0) : Number(end));
  const [first, last, step] = [numberOf(from), numberOf(to), Math.max(1, Number(by))];
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > MOST_VALUES)
    throw new SearchError('pattern', `glob is too complex: a range has more than ${MOST_VALUES} values`);
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const values = Array.from({ length: count }, (_, index) => {
    const value = first + index * (last < first ? -step : step);
    if (isLetters) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
  return { end: at + whole.length, values };
}

/** Positions in a path, from 0 to its length. */
type Places = ReadonlySet<number>;

/** The matching of one path by a pattern. */
class Walk {
  readonly #path: readonly string[];
  #steps = 0;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  matches(alternative: Alternative): boolean {
    return this.#through(alternative, new Set([0])).has(this.#path.length);
  }

  #through(alternative: Alternative, from: Places): Places {
    let places = from;
    for (const part of alternative) {
      if (places.size === 0) break;
      places = this.#behind(part, places);
    }
    return places;
  }

  #behind(part: Part, from: Places): Places {
    if (part.kind === 'group') return this.#behindGroup(part.repeats, part.alternatives, from);
    const places = new Set<number>();
    // the positions after one that is already known were added with it
    for (const at of from)
      for (const place of this.#leads(part, at)) if (!this.#add(places, place) && place > at) break;
    return places;
  }

  *#leads(part: Exclude<Part, { kind: 'group' }>, at: number): Generator<number> {
    const path = this.#path;
    if (part.kind === 'character') {
      const character = path[at];
      if (character !== undefined && part.accepts(character)) yield at + 1;
    } else if (part.kind === 'star') {
      yield at;
      for (let end = at; end < path.length && path[end] !== '/'; end++) yield end + 1;
    } else {
      const isBelow = part.kind === 'below';
      const beginsName = at === 0 || path[at - 1] === '/';
      if (!isBelow && beginsName) yield at;
      for (let end = at; end < path.length; end++) {
        if (!isBelow && path[end] !== '/') continue;
        yield end + 1;
        if (!isBelow && !beginsName) return;
      }
    }
  }

  #behindGroup(repeats: Repeats, alternatives: readonly Alternative[], from: Places): Places {
    if (repeats === 'none') return this.#besides(alternatives, from);
    const once = this.#anyOf(alternatives, from);
    if (repeats === 'once') return once;
    const places = new Set(repeats === 'some' ? [] : from);
    if (repeats === 'optional') {
      for (const place of once) this.#add(places, place);
      return places;
    }
    let fresh: Places = once;
    while (fresh.size > 0) {
      const next = new Set<number>();
      for (const place of fresh) if (!places.has(place)) next.add(place);
      for (const place of next) this.#add(places, place);
      fresh = this.#anyOf(alternatives, next);
    }
    return places;
  }

  #anyOf(alternatives: readonly Alternative[], from: Places): Places {
    const places = new Set<number>();
    for (const alternative of alternatives)
      for (const place of this.#through(alternative, from)) this.#add(places, place);
    return places;
  }

  /** Returns the positions after parts of a name that no alternative matches. */
  #besides(alternatives: readonly Alternative[], from: Places): Places {
    const places = new Set<number>();
    for (const at of from) {
      const matched = this.#anyOf(alternatives, new Set([at]));
      for (let end = at; ; end++) {
        if (!matched.has(end)) this.#add(places, end);
        if (end === this.#path.length || this.#path[end] === '/') break;
      }
    }
    return places;
  }

  /** Adds a position; returns whether it is new. */
  #add(places: Set<number>, place: number): boolean {
    if (++this.#steps > MOST_STEPS)
      throw new SearchError('pattern', 'glob is too complex: use fewer groups, or several globs');
    const before = places.size;
    return places.add(place).size > before;
  }
}
