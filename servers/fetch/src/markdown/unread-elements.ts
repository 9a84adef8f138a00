import { isLineNumbers } from './code-blocks.ts';
import type { Elements } from './elements/elements.ts';
import { isTex } from './elements/formulas.ts';
import type { Attributes } from './html-parser.ts';
import { unreadTags } from './html-tags.ts';
import { isCopy } from './visibility.ts';

const controls = new Set(['input', 'textarea', 'select', 'option', 'optgroup', 'datalist', 'keygen']);

/** Returns whether an element has no text to read, visible or not: a control, a copy, or line numbers. */
export function isUnread(name: string, attributes: Attributes, elements: Elements): boolean {
  if (name === 'noscript') return true;
  if (unreadTags.has(name)) return !isTex(name, attributes);
  if (controls.has(name)) return name !== 'input' || attributes.type !== 'checkbox';
  if (name === 'button') return !isTelling(attributes, elements) || isCopy(name, attributes);
  return isCopy(name, attributes) || isLineNumbers(name, attributes, elements.isInListing);
}

/** Returns whether a button has meaning as text: it expands the following content, or is a heading. */
function isTelling(attributes: Attributes, { flow, open }: Elements): boolean {
  return (
    flow.isInHeading ||
    attributes['aria-expanded'] !== undefined ||
    attributes['aria-controls'] !== undefined ||
    open.inner?.name === 'dt'
  );
}
