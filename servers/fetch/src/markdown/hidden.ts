import { hidesIn, type Shown } from './declarations.ts';
import type { Attributes } from './parse.ts';
import type { Styles } from './styles.ts';

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
/** Math for those who hear a page is the copy that is text. */
const mathClasses = /(?:^|\s)(?:katex-mathml|mwe-math-mathml-\S+|MJX_Assistive_MathML)(?:\s|$)/;
/** Copies of math as it looks, and what only leads back. */
const copyClasses =
  /(?:^|\s)(?:katex-html|mwe-math-fallback-image-\S+|MathJax(?:_Display|_Preview|_SVG|_CHTML|_SVG_Display)?|mjx-chtml|mw-cite-backlink|mw-editsection)(?:\s|$)/;
const revealed = /(?:^|\s)(?:wow|aos-\S+|animate\S*|fade\S*|reveal\S*)(?:\s|$)/;
const asWhole = new Set(['html', 'body', 'main', 'article']);
const MOST_KNOWN = 2_000;

/** Tells what a reader does not see, by an element's attributes and the simple rules of a page's style sheets. */
export class Sight {
  readonly #styles: Styles;
  readonly #streamed: boolean;
  readonly #classes = new Map<string, boolean>();
  readonly #inline = new Map<string, Shown>();

  constructor(styles: Styles, streamed: boolean) {
    this.#styles = styles;
    this.#streamed = streamed;
  }

  shown(name: string, attributes: Attributes): Shown {
    const { class: classes, id, style } = attributes;
    if (classes !== undefined && mathClasses.test(classes)) return 'yes';
    if (name === 'math') return 'yes';
    if (attributes.hidden !== undefined && attributes.hidden !== 'until-found' && name !== 'body') {
      if (!(this.#streamed && id !== undefined && /^S:[\da-f]+$/.test(id))) return 'no';
    }
    if (attributes['aria-hidden'] === 'true' && !asWhole.has(name)) return 'no';
    if (name === 'dialog' && attributes.open === undefined) return 'no';
    if (name === 'html' || name === 'body') return 'yes';
    if (classes !== undefined && this.#hidesClass(classes)) return 'no';
    if (id !== undefined && this.#styles.ids.has(id)) return 'no';
    return style === undefined ? 'yes' : this.#byStyle(style, attributes);
  }

  #hidesClass(classes: string): boolean {
    let hides = this.#classes.get(classes);
    if (hides === undefined) {
      hides = classes
        .split(/[ \t\n\r\f]+/)
        .some((name) => unseenClasses.has(name) || this.#styles.classes.has(name));
      if (this.#classes.size < MOST_KNOWN) this.#classes.set(classes, hides);
    }
    return hides;
  }

  #byStyle(style: string, attributes: Attributes): Shown {
    const known = this.#inline.get(style);
    const shown = known ?? hidesIn(style);
    if (known === undefined && this.#inline.size < MOST_KNOWN) this.#inline.set(style, shown);
    // a script brings these in as the reader comes to them
    const comesIn =
      attributes['data-aos'] !== undefined ||
      attributes['data-framer-appear-id'] !== undefined ||
      revealed.test(attributes.class ?? '');
    return comesIn && shown !== 'yes' && !/display\s*:\s*none/i.test(style) ? 'yes' : shown;
  }
}

/** Whether an element is a second copy of what its page says elsewhere in text. */
export function isCopy(name: string, attributes: Attributes): boolean {
  if (name === 'mjx-math') return true;
  return attributes.class !== undefined && copyClasses.test(attributes.class);
}
