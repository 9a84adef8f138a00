import type { Element } from 'domhandler';
import { Sight } from '../markdown/hidden.ts';
import { noStyles } from '../markdown/styles.ts';

const NEVER_READ = new Set(
  'script style link meta noscript template svg canvas iframe object embed audio video map input button select textarea option datalist head title frame frameset applet progress meter rp'.split(
    ' ',
  ),
);
const SURROUNDING = new Set(['nav', 'menu', 'aside', 'footer', 'dialog']);
const SURROUNDING_ROLES = new Set(
  'navigation banner complementary dialog alertdialog search menu menubar contentinfo toolbar alert tooltip'.split(
    ' ',
  ),
);

/** Whether nothing in an element is text for a reader. */
export function neverRead(element: Element): boolean {
  return NEVER_READ.has(element.name);
}

/** Whether an element's tag or role says that it surrounds the content. */
export function isSurrounding(element: Element): boolean {
  return SURROUNDING.has(element.name) || SURROUNDING_ROLES.has(element.attribs.role ?? '');
}

const sight = new Sight(noStyles, false);

/** Whether an element is not shown to a reader as the page comes. */
export function isHidden({ name, attribs }: Element): boolean {
  return sight.look(name, attribs).isGone;
}

/** Whether an element that is no text itself says something where it stands: math, a box to tick, an image kept back. */
export function isTelling({ name, attribs }: Element): boolean {
  if (name === 'script') return /^math\/tex/i.test(attribs.type ?? '');
  return name === 'noscript' || (name === 'input' && attribs.type === 'checkbox');
}
