import { Element, Text } from 'domhandler';
import { namesComments, namesContent, namesSurroundings } from './class-names.ts';
import { evenSpace, type Parent } from './dom-tree.ts';
import { isHidden, isSurrounding, neverRead } from './visibility.ts';

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var label nobr wbr img br math ruby rt rb'.split(
    ' ',
  ),
);

/** The amount of text in an element, and how much of it reads like content. */
export interface Weight {
  /** characters, with normalized white space */
  text: number;
  /** characters in links */
  linked: number;
  /** characters of prose, reduced if class names contradict */
  mass: number;
  /** paragraphs of at least 80 characters */
  paragraphs: number;
  /** headings that are links, as in lists of other pages */
  linkedHeadings: number;
  links: number;
}

export type Weights = ReadonlyMap<Parent, Weight>;

/** How far the page's own markup is used: class names and tags, tags only, or neither. */
export type Trust = 'names' | 'tags' | 'nothing';

/** The content to find: prose, or a list of links. */
export type Seeks = 'prose' | 'links';

/** Returns whether an element is left out before anything is weighed. */
export function isLeftOut(element: Element, trust: Trust): boolean {
  if (neverRead(element)) return true;
  return trust !== 'nothing' && (isSurrounding(element) || isHidden(element));
}

/** Returns whether an element is inline. */
export function isInline(element: Element): boolean {
  return INLINE.has(element.name);
}

/** Returns the characters of a text with normalized white space. */
export function lengthOf(text: string): number {
  return evenSpace(text).length;
}

/** Returns the weight of every block of a page; `total` is the number of characters of the page. */
export function weigh(root: Parent, trust: Trust, total: number, seeks: Seeks = 'prose'): Weights {
  const weights = new Map<Parent, Weight>();
  weighBlock(root, { trust, total, seeks }, weights);
  return weights;
}

interface Weighing {
  readonly trust: Trust;
  readonly total: number;
  readonly seeks: Seeks;
}

function weighBlock(block: Parent, weighing: Weighing, weights: Map<Parent, Weight>): Weight {
  const weight: Weight = { text: 0, linked: 0, mass: 0, paragraphs: 0, linkedHeadings: 0, links: 0 };
  const run = { text: 0, linked: 0 };
  const endRun = (): void => {
    weight.mass += weighing.seeks === 'prose' ? massOf(run) : run.text;
    if (run.text >= 80) weight.paragraphs++;
    run.text = 0;
    run.linked = 0;
  };
  const walk = (parent: Parent, inLink: boolean): void => {
    for (const child of parent.children) {
      if (child instanceof Text) {
        const length = lengthOf(child.data);
        run.text += length;
        weight.text += length;
        if (inLink) {
          run.linked += length;
          weight.linked += length;
        }
      } else if (child instanceof Element && !isLeftOut(child, weighing.trust)) {
        const linked = inLink || child.name === 'a';
        if (child.name === 'a') weight.links++;
        if (isInline(child)) walk(child, linked);
        else {
          endRun();
          add(weight, weighBlock(child, weighing, weights), linked && weighing.seeks === 'prose');
        }
      }
    }
  };
  walk(block, false);
  endRun();
  if (block instanceof Element) {
    weight.mass *= factorOf(block, weight, weighing);
    if (/^h[1-6]$/.test(block.name) && weight.linked > 0.8 * weight.text && weight.text > 0)
      weight.linkedHeadings++;
  }
  weights.set(block, weight);
  return weight;
}

/** Returns the mass of a run of text: long runs are prose, short ones are labels, and links count against it. */
function massOf({ text, linked }: { text: number; linked: number }): number {
  const own = text - linked;
  if (own <= 20) return 0;
  const share = text < 40 ? 0.2 : text < 80 ? 0.6 : 1;
  return Math.max(0, own - 0.5 * linked) * share;
}

function factorOf(block: Element, weight: Weight, { trust, total, seeks }: Weighing): number {
  let factor = 1;
  if (/^h[1-6]$/.test(block.name) && weight.text < 100) factor *= 0.2;
  if (namesContent(block)) return factor * 1.25;

  if (trust === 'names' && weight.text < 0.8 * total && namesComments(block)) return factor * 0.05;
  const most = seeks === 'links' ? 0.8 : 0.5;
  if (trust === 'names' && weight.text < most * total && namesSurroundings(block)) factor *= 0.1;
  return factor;
}

function add(sum: Weight, part: Weight, linked: boolean): void {
  sum.text += part.text;
  sum.linked += linked ? part.text : part.linked;
  if (!linked) sum.mass += part.mass;
  sum.paragraphs += part.paragraphs;
  sum.linkedHeadings += part.linkedHeadings;
  sum.links += part.links;
}
