import { type Declared, type Look, lookOf, readDeclarations, seen } from './css-declarations.ts';
import type { Attributes } from './html-parser.ts';
import type { Styles } from './style-sheets.ts';

const unseenClasses = new Set([
  'a11y-hidden',
  'assistive-text',
  'element-invisible',
  'offscreen',
  'screen-reader',
  'screen-reader-only',
  'screen-reader-text',
  'screenreader',
  'screenreader-only',
  'show-for-sr',
  'sr-only',
  'sr_only',
  'srOnly',
  'u-hiddenVisually',
  'visually-hidden',
  'visuallyHidden',
  'visuallyhidden',
]);
/** Math for screen readers, which is the copy in text. */
const mathClasses = /(?:^|\s)(?:katex-mathml|mwe-math-mathml-\S+|MJX_Assistive_MathML)(?:\s|$)/;
/** Visual copies of math, and backlinks. */
const copyClasses =
  /(?:^|\s)(?:katex-html|mwe-math-fallback-image-\S+|MathJax(?:_Display|_Preview|_SVG|_CHTML|_SVG_Display)?|mjx-chtml|mw-cite-backlink|mw-editsection)(?:\s|$)/;
const revealed = /(?:^|\s)(?:wow|aos-\S+|animate\S*|fade\S*|reveal\S*)(?:\s|$)/;
const asWhole = new Set(['html', 'body', 'main', 'article']);
const MOST_KNOWN = 2_000;

const gone: Look = { isGone: true };

/** The visibility of elements by their attributes and the simple rules of the page's style sheets. */
export class Visibility {
  readonly #styles: Styles;
  readonly #streamed: boolean;
  readonly #classes = new Map<string, Declared | 'hidden' | undefined>();
  readonly #looks = new Map<string, Look>();

  constructor(styles: Styles, streamed: boolean) {
    this.#styles = styles;
    this.#streamed = streamed;
  }

  look(name: string, attributes: Attributes): Look {
    const { class: classes, id, style } = attributes;
    if (classes !== undefined && mathClasses.test(classes)) return seen;
    if (name === 'math') return seen;
    if (attributes.hidden !== undefined && attributes.hidden !== 'until-found' && name !== 'body') {
      if (!(this.#streamed && id !== undefined && /^S:[\da-f]+$/.test(id))) return gone;
    }
    if (attributes['aria-hidden'] === 'true' && !asWhole.has(name)) return gone;
    if (name === 'dialog' && attributes.open === undefined) return gone;
    if (name === 'html' || name === 'body') return seen;
    const byClass = classes === undefined ? undefined : this.#declaredOf(classes);
    if (byClass === 'hidden') return gone;
    const byId = id === undefined ? undefined : this.#styles.ids.get(id);
    if (byClass === undefined && byId === undefined && style === undefined) return seen;
    return this.#lookOf([byClass, byId], style, attributes);
  }

  /** Returns the style sheets' declarations for classes; `hidden` for a class that is known to hide. */
  #declaredOf(classes: string): Declared | 'hidden' | undefined {
    if (this.#classes.has(classes)) return this.#classes.get(classes);
    const names = classes.split(/[ \t\n\r\f]+/);
    const known = names.flatMap((name) => this.#styles.classes.get(name) ?? []);
    const declared = names.some((name) => unseenClasses.has(name))
      ? 'hidden'
      : known.length === 0
        ? undefined
        : together(known);
    if (this.#classes.size < MOST_KNOWN) this.#classes.set(classes, declared);
    return declared;
  }

  #lookOf(
    sheets: readonly (Declared | undefined)[],
    style: string | undefined,
    attributes: Attributes,
  ): Look {
    const { class: classes = '', id = '' } = attributes;
    const isAlone = sheets.every((one) => one === undefined);
    const key = isAlone ? style! : `${classes}\n${id}\n${style}`;
    let look = this.#looks.get(key);
    if (look === undefined) {
      const own = readDeclarations(style ?? '');
      look = lookOf(together([...sheets.filter((one) => one !== undefined), own]));
      if (this.#looks.size < MOST_KNOWN) this.#looks.set(key, look);
    }
    // a script shows these elements when they scroll into view
    const comesIn =
      attributes['data-aos'] !== undefined ||
      attributes['data-framer-appear-id'] !== undefined ||
      revealed.test(classes);
    return comesIn && style !== undefined && !/display\s*:\s*none/i.test(style) ? seen : look;
  }
}

function together(all: readonly Declared[]): Declared {
  return all.length === 1 ? all[0]! : new Map(all.flatMap((one) => [...one]));
}

/** Returns whether an element repeats content that the page has as text. */
export function isCopy(name: string, attributes: Attributes): boolean {
  if (name === 'mjx-math') return true;
  return attributes.class !== undefined && copyClasses.test(attributes.class);
}
