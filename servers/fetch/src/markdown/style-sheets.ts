import { type Declared, lookOf, readDeclarations } from './css-declarations.ts';
import { type Rule, readRules } from './css-rules.ts';

/** The style sheets' declarations for classes and ids that may hide text. */
export interface Styles {
  readonly classes: ReadonlyMap<string, Declared>;
  readonly ids: ReadonlyMap<string, Declared>;
}

export const noStyles: Styles = { classes: new Map(), ids: new Map() };

const MOST_NAMES = 20_000;
const SIMPLE = /^[.#][\w-]+$/;
const MAY_HIDE =
  /none|hidden|collapse|opacity|clip|-\d{3}|colou?r|background|font|transparent|scale|overflow/i;
const MOVES = /(?:^|[;\s-])(?:transition|animation)[\w-]{0,40}\s*:(?!\s*none)/i;
const PLACES = /(?:^|[;\s])(?:display|visibility|opacity|position|clip|clip-path)\s*:/i;
const PAINTS = /(?:^|[;\s])(?:color|background|background-color|font|font-size)\s*:/i;
/** declarations of colour and size; all others concern position and visibility */
const PAINT = new Set(['color', 'background', 'background-color', 'font', 'font-size']);

/**
 * Reads the declarations of a page's style elements for single classes and ids. Declarations that another rule may
 * override are left out.
 */
export function readStyles(html: string): Styles {
  const sheet = new Sheet();
  const opening = /<style(?=[\s>/])/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const from = html.indexOf('>', found.index) + 1;
    if (from === 0) break;
    const end = html.slice(from).search(/<\/style/i);
    const to = end < 0 ? html.length : from + end;
    if (!/\bmedia\s*=\s*(?:["']\s*)?print/i.test(html.slice(found.index, from)))
      readRules(html.slice(from, to), (rule) => sheet.add(rule));
    opening.lastIndex = to;
    if (sheet.isFull) break;
  }
  return sheet.styles();
}

/** The rules of a page. */
class Sheet {
  readonly #declared = new Map<string, Map<string, string>>();
  /** names whose position, or whose colours and size, other rules may set */
  readonly #placed = new Set<string>();
  readonly #painted = new Set<string>();
  readonly #moving = new Set<string>();

  get isFull(): boolean {
    return this.#declared.size > MOST_NAMES;
  }

  add({ selectors, body, isSure }: Rule): void {
    const mayHide = MAY_HIDE.test(body);
    const [places, paints, moves] = [PLACES.test(body), PAINTS.test(body), MOVES.test(body)];
    if (!mayHide && !places && !moves) return;
    const declared = readDeclarations(body);
    const { isGone, isVisible, isTiny } = lookOf(declared);
    const hides = mayHide && (isGone || isVisible === false);
    for (const part of selectors.split(',')) {
      const selector = part.trim();
      const isSimple = isSure && SIMPLE.test(selector);
      if (isSimple) this.#declare(selector, declared);
      if (!moves && isSimple && (hides || !places)) continue;
      for (const name of selector.slice(-400).match(/[.#][\w-]+/g) ?? []) {
        if (moves) this.#moving.add(name);
        if (places && !hides) this.#placed.add(name);
        if (paints && !isSimple && isTiny !== true) this.#painted.add(name);
      }
    }
  }

  styles(): Styles {
    const classes = new Map<string, Declared>();
    const ids = new Map<string, Declared>();
    for (const [name, declared] of this.#declared) {
      const known = this.#knownOf(name, declared);
      if (known.size > 0) (name.startsWith('.') ? classes : ids).set(name.slice(1), known);
    }
    return { classes, ids };
  }

  #declare(name: string, declared: Declared): void {
    const known = this.#declared.get(name);
    if (known === undefined) {
      this.#declared.set(name, new Map(declared));
      return;
    }
    for (const [property, value] of declared) {
      const other = known.get(property);
      if (other !== undefined && other !== value && PAINT.has(property)) this.#painted.add(name);
      known.set(property, value);
    }
  }

  #knownOf(name: string, declared: Declared): Declared {
    const isPlaced = this.#placed.has(name);
    const isPainted = this.#painted.has(name);
    const known = [...declared].filter(([property]) => !(PAINT.has(property) ? isPainted : isPlaced));
    return new Map(this.#moving.has(name) ? [...known, ['transition', 'all']] : known);
  }
}
