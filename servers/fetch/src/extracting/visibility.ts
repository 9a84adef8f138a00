import type { Element } from 'domhandler';
import { noStyles } from '../markdown/style-sheets.ts';
import { Visibility } from '../markdown/visibility.ts';

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

/** Returns whether an element never has text for a reader. */
export function neverRead(element: Element): boolean {
  return NEVER_READ.has(element.name);
}

/** Returns whether an element's tag or role marks it as outside the main content. */
export function isSurrounding(element: Element): boolean {
  return SURROUNDING.has(element.name) || SURROUNDING_ROLES.has(element.attribs.role ?? '');
}

const sight = new Visibility(noStyles, false);

/** Returns whether an element is hidden before scripts run. */
export function isHidden({ name, attribs }: Element): boolean {
  return sight.look(name, attribs).isGone;
}

/**
 * Returns whether an element without text has meaning in its place: a formula, a checkbox, or the image of a noscript.
 */
export function isTelling({ name, attribs }: Element): boolean {
  if (name === 'script') return /^math\/tex/i.test(attribs.type ?? '');
  return name === 'noscript' || (name === 'input' && attribs.type === 'checkbox');
}
