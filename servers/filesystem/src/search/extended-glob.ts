import type { Glob } from './glob.ts';
import { toText } from './order.ts';
import { SearchError } from './query.ts';
import { type CharacterTest, readCharacter } from './segment.ts';

/** A part of a pattern: from each place in a path it leads to some places at or behind it. */
type Part =
  | { readonly kind: 'character'; readonly accepts: CharacterTest }
  | { readonly kind: 'star' | 'folders' | 'below' }
  | { readonly kind: 'group'; readonly repeats: Repeats; readonly ways: readonly Way[] };
type Way = readonly Part[];

/** How often one of the ways of a group is taken; `none`: what no way matches, within a name. */
type Repeats = 'once' | 'optional' | 'any' | 'some' | 'none';

const groups: Readonly<Record<string, Repeats>> = {
  '@': 'once',
  '?': 'optional',
  '*': 'any',
  '+': 'some',
  '!': 'none',
};

/** Values of one range, as `{1..100}`. */
const MOST_VALUES = 1000;
/** Groups within groups. */
const MOST_DEPTH = 8;
/** Steps of one path through one pattern. */
const MOST_STEPS = 1_000_000;

/**
 * Returns the glob of a pattern with braces, extended groups or negation, as bash reads them. All places that a pattern
 * can have come to in a path are followed together, and steps are counted, so that no pattern makes it backtrack.
 *
 * @throws SearchError where groups are nested too deeply, a range has too many values, or a path takes too many steps
 */
export function extendedGlob(pattern: string): Glob {
  const [, marks = '', rest = ''] = /^((?:!(?!\())*)(.*)$/s.exec(pattern) ?? [];
  const way = new Reader(rest).read();
  const isNegated = marks.length % 2 === 1;
  return {
    inside: (prefix) => {
      const directory = toText(prefix);
      return (name) => new Walk(Array.from(directory + toText(name))).matches(way) !== isNegated;
    },
    reaches: () => true,
  };
}

/** Reads a pattern into its parts. */
class Reader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  read(): Way {
    return this.#way(() => false);
  }

  /** Reads up to what ends a way, or to the end. */
  #way(ends: (character: string) => boolean): Way {
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

  /** `**` that is all of a name stands for folders; any other stars stand for characters of a name. */
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

  /** Reads `{a,b}` or a range; undefined where the brace is only a character. */
  #braces(): Part | undefined {
    const range = rangeAt(this.#characters, this.#at);
    if (range !== undefined) {
      this.#at = range.end;
      return { kind: 'group', repeats: 'once', ways: range.values.map(literally) };
    }
    return this.#group('once', this.#at + 1, ',', '}');
  }

  /** Reads the ways of a group; undefined, with nothing read, where nothing closes it or a brace has one way. */
  #group(repeats: Repeats, from: number, between: string, close: string): Part | undefined {
    const before = this.#at;
    if (this.#depth === MOST_DEPTH)
      throw new SearchError('pattern', `glob is too complex: groups are nested more than ${MOST_DEPTH} deep`);
    this.#depth++;
    this.#at = from;
    const ways: Way[] = [];
    let isClosed = false;
    while (!isClosed && this.#at < this.#characters.length + 1) {
      ways.push(this.#way((character) => character === between || character === close));
      isClosed = this.#characters[this.#at] === close;
      this.#at++;
    }
    this.#depth--;
    if (isClosed && (close === ')' || ways.length > 1)) return { kind: 'group', repeats, ways };
    this.#at = before;
    return undefined;
  }
}

function groupAt(characters: readonly string[], at: number): Repeats | undefined {
  return characters[at + 1] === '(' ? groups[characters[at]!] : undefined;
}

function literally(text: string): Way {
  return Array.from(text, (wanted) => ({ kind: 'character', accepts: (character) => character === wanted }));
}

/** Reads `{1..9}`, `{01..10}`, `{a..e}` or one of these with a step. */
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

/** Places in a path, from 0 to its length. */
type Places = ReadonlySet<number>;

/** One path on its way through a pattern. */
class Walk {
  readonly #path: readonly string[];
  #steps = 0;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  matches(way: Way): boolean {
    return this.#through(way, new Set([0])).has(this.#path.length);
  }

  #through(way: Way, from: Places): Places {
    let places = from;
    for (const part of way) {
      if (places.size === 0) break;
      places = this.#behind(part, places);
    }
    return places;
  }

  #behind(part: Part, from: Places): Places {
    if (part.kind === 'group') return this.#behindGroup(part.repeats, part.ways, from);
    const places = new Set<number>();
    // where another place has led, all that follows is known
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

  #behindGroup(repeats: Repeats, ways: readonly Way[], from: Places): Places {
    if (repeats === 'none') return this.#besides(ways, from);
    const once = this.#anyOf(ways, from);
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
      fresh = this.#anyOf(ways, next);
    }
    return places;
  }

  #anyOf(ways: readonly Way[], from: Places): Places {
    const places = new Set<number>();
    for (const way of ways) for (const place of this.#through(way, from)) this.#add(places, place);
    return places;
  }

  /** Where what lies between is part of one name, and matched by none of the ways. */
  #besides(ways: readonly Way[], from: Places): Places {
    const places = new Set<number>();
    for (const at of from) {
      const matched = this.#anyOf(ways, new Set([at]));
      for (let end = at; ; end++) {
        if (!matched.has(end)) this.#add(places, end);
        if (end === this.#path.length || this.#path[end] === '/') break;
      }
    }
    return places;
  }

  /** Whether the place is new. */
  #add(places: Set<number>, place: number): boolean {
    if (++this.#steps > MOST_STEPS)
      throw new SearchError('pattern', 'glob is too complex: use fewer groups, or several globs');
    const before = places.size;
    return places.add(place).size > before;
  }
}
