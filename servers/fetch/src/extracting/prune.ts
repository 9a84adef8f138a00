import { type ChildNode, Element, Text } from 'domhandler';
import { namesCaption, namesComments, namesLead, namesSurroundings } from './class-names.ts';
import { elementOf, type Parent, textIn } from './dom-tree.ts';
import { leadsElsewhere } from './teaser-phrases.ts';
import { isLeftOut, type Seeks, type Trust, type Weight, type Weights } from './text-weight.ts';
import { isHidden, isTelling } from './visibility.ts';

const WHOLE = /^(?:table|tbody|thead|tfoot|tr|td|th|p|pre|code|h[1-6]|blockquote|a|span|b|strong|em|i)$/;
const LINES = /^(?:p|h[2-6]|li|div|blockquote)$/;
const SECTIONS = /^(?:div|section|article|aside)$/;
const HEADING = /^h[1-6]$/;
const LONGEST_LINE = 200;

export interface Pruning {
  readonly weights: Weights;
  readonly trust: Trust;
  readonly seeks: Seeks;
  /** characters in the root of the content */
  readonly rootText: number;
  /** characters of the page */
  readonly total: number;
  /** number of hidden elements that were removed */
  readonly count: { hidden: number };
}

/** Copies the children of an element, without those that surround or interrupt the content. */
export function prune(parent: Parent, pruning: Pruning): ChildNode[] {
  const { weights } = pruning;
  const kept: ChildNode[] = [];
  const dropped = new Set<ChildNode>();
  let elsewhere = false;
  for (const child of parent.children) {
    if (!(child instanceof Element)) {
      kept.push(child instanceof Text ? new Text(child.data) : child);
      continue;
    }
    const weight = weights.get(child);
    const isDropped = isBeside(child, weight, pruning);
    if (isDropped && isHidden(child)) pruning.count.hidden++;
    if (isDropped && HEADING.test(child.name)) elsewhere = true;
    else if (elsewhere && weight !== undefined && endsElsewhere(child, weight)) elsewhere = false;
    if (
      isDropped ||
      (elsewhere && pruning.seeks === 'prose' && weight !== undefined && weight.linked > 0.3 * weight.text)
    ) {
      if (weight !== undefined && weight.text > 0) {
        kept.push(child);
        dropped.add(child);
      }
      continue;
    }
    kept.push(elementOf(child.name, child.attribs, prune(child, pruning)));
  }
  return dropped.size === 0 ? kept : withoutOrphans(kept, dropped);
}

function isBeside(
  element: Element,
  weight: Weight | undefined,
  { trust, seeks, rootText, total }: Pruning,
): boolean {
  if (isLeftOut(element, trust)) return !isTelling(element);
  if (trust === 'nothing') return false;
  const text = weight?.text ?? textIn(element).length;
  if (element.name === 'form' && text < 0.3 * total) return true;
  if (namesCaption(element) && text < 0.3 * rootText) return true;
  if (trust === 'names' && text < 0.8 * rootText && namesComments(element)) return true;
  if (
    trust === 'names' &&
    text < (seeks === 'links' ? 0.8 : 0.4) * rootText &&
    namesSurroundings(element) &&
    !namesLead(element)
  )
    return true;
  if (seeks === 'links' || weight === undefined || text === 0) return false;
  return isLineElsewhere(element, weight, rootText) || isLinks(element, weight, rootText);
}

/** Returns whether a line or section sends the reader to other pages. */
function isLineElsewhere(element: Element, weight: Weight, rootText: number): boolean {
  if (weight.text < LONGEST_LINE && LINES.test(element.name) && leadsElsewhere(textIn(element, 100)))
    return true;
  if (element.name === 'p' && weight.text > 20 && weight.linked > 0.9 * weight.text) return true;
  if (!SECTIONS.test(element.name) || weight.text > 0.4 * rootText) return false;
  const heading = headingAtStart(element);
  return heading !== undefined && leadsElsewhere(textIn(heading, 100));
}

/** Returns whether an element is a list of links or teasers. */
function isLinks(element: Element, weight: Weight, rootText: number): boolean {
  if (WHOLE.test(element.name)) return false;
  if (weight.linked > 0.6 * weight.text && weight.paragraphs === 0) return true;
  const { linkedHeadings, text } = weight;
  return linkedHeadings > 1 && text < 0.6 * rootText && text < 600 * linkedHeadings;
}

function endsElsewhere(element: Element, weight: Weight): boolean {
  return HEADING.test(element.name) || (weight.paragraphs > 0 && weight.linked < 0.3 * weight.text);
}

function headingAtStart(element: Element): Element | undefined {
  for (const child of element.children) {
    if (child instanceof Text && child.data.trim() !== '') return undefined;
    if (child instanceof Element) return HEADING.test(child.name) ? child : headingAtStart(child);
  }
  return undefined;
}

/** Removes headings whose whole section was removed. */
function withoutOrphans(nodes: readonly ChildNode[], dropped: ReadonlySet<ChildNode>): ChildNode[] {
  const kept: ChildNode[] = [];
  let [filled, gone, level] = [false, false, 0];
  for (const node of nodes.toReversed()) {
    if (dropped.has(node)) gone = true;
    else if (node instanceof Element && HEADING.test(node.name)) {
      const own = Number(node.name[1]);
      if (filled || !gone || level > own) {
        kept.push(node);
        level = own;
        gone = false;
      }
      filled = false;
    } else {
      if (isFilled(node)) {
        filled = true;
        gone = false;
        level = 0;
      }
      kept.push(node);
    }
  }
  return kept.reverse();
}

function isFilled(node: ChildNode): boolean {
  if (node instanceof Text) return node.data.trim() !== '';
  return node instanceof Element && (node.name === 'img' || node.children.some(isFilled));
}
