import { type ChildNode, Element, Text } from 'domhandler';
import { join } from './adjacent-content.ts';
import { chooseRoot } from './content-root.ts';
import { elementOf, findElement, type Parent } from './dom-tree.ts';
import { prune } from './prune.ts';
import { lengthOf, type Seeks, type Trust, type Weight, weigh } from './text-weight.ts';
import { isHidden, neverRead } from './visibility.ts';

/** The main content of a page. */
export interface Content {
  readonly nodes: readonly ChildNode[];
  /** how far class names and tags were used to find it; undefined for the whole page */
  readonly trust: Trust | undefined;
  readonly seeks: Seeks;
  /** characters that were kept, and all characters of the page */
  readonly kept: number;
  readonly total: number;
  /** hidden elements that were removed */
  readonly hidden: number;
}

/** Characters, and share of the page's own text, below which a result counts as a failure. */
const ENOUGH = 250;
const ENOUGH_SHARE = 0.35;
/** Share of the text of a page with mostly links; less prose than that is not its content. */
const LIST_SHARE = 0.2;
const LONG = 300;

/** Finds the main content of a page, as copies of its nodes; the whole page if no part stands out. */
export function findContent(document: Parent): Content {
  const body = bodyOf(document);
  const all = weigh(body, 'nothing', 0).get(body)!;
  const enough = Math.min(ENOUGH, ENOUGH_SHARE * (all.text - all.linked));
  const isEnough = ({ kept }: Content): boolean => kept > 0 && kept >= enough;
  for (const trust of ['names', 'tags'] as const) {
    const content = contentOf(body, trust, all.text, 'prose');
    if (isEnough(content)) return isList(content, all) ? listOr(content, body, all.text) : content;
  }
  const list = contentOf(body, 'names', all.text, 'links');
  if (all.linked > 0.5 * all.text && list.kept > LIST_SHARE * all.text) return list;
  const content = contentOf(body, 'nothing', all.text, 'prose');
  return isEnough(content) && content.kept < 0.9 * all.text ? content : wholePage(body, all.text);
}

/** Returns the body, or the document if much of its text follows the end tag of the body. */
function bodyOf(document: Parent): Parent {
  const body = findElement(document, ({ name }) => name === 'body');
  if (body === undefined) return document;
  return lengthOfNodes(body.children) < 0.25 * lengthOfNodes(document.children) ? document : body;
}

function wholePage(body: Parent, total: number): Content {
  const pruning = { weights: new Map(), seeks: 'links', trust: 'nothing', rootText: total, total } as const;
  const nodes = prune(body, { ...pruning, count: { hidden: 0 } });
  return { nodes, trust: undefined, seeks: 'links', kept: total, total, hidden: 0 };
}

function isList({ kept }: Content, all: Weight): boolean {
  return all.linked > 0.5 * all.text && kept < LIST_SHARE * all.text && kept < LONG;
}

/** Returns the list of links of a page, if that is much longer than the content that was found. */
function listOr(content: Content, body: Parent, total: number): Content {
  const list = contentOf(body, 'names', total, 'links');
  return list.kept > 3 * content.kept ? list : content;
}

function contentOf(body: Parent, trust: Trust, total: number, seeks: Seeks): Content {
  const weights = weigh(body, trust, total, seeks);
  const root = chooseRoot(body, weights);
  const { before, after } = join(body, root, weights, trust);
  const rootText = weights.get(root)?.text ?? 0;
  const count = { hidden: 0 };
  const pruning = { weights, trust, seeks, total, rootText, count };
  const copy = (element: Element): Element =>
    elementOf(element.name, element.attribs, prune(element, pruning));
  const main = root instanceof Element ? [copy(root)] : prune(root, pruning);
  const nodes = [...before.map(copy), ...main, ...after.map(copy)];
  return { nodes, trust, seeks, kept: lengthOfNodes(nodes), total, hidden: count.hidden };
}

/** Returns the number of characters of visible text. */
export function visibleTextLength(parent: Parent): number {
  let length = 0;
  for (const node of parent.children) {
    if (node instanceof Text) length += lengthOf(node.data);
    else if (node instanceof Element && !neverRead(node) && !isHidden(node))
      length += visibleTextLength(node);
  }
  return length;
}

/** Returns the number of characters of text in nodes, without elements that are never read. */
export function lengthOfNodes(nodes: readonly ChildNode[]): number {
  let length = 0;
  for (const node of nodes) {
    if (node instanceof Text) length += lengthOf(node.data);
    else if (node instanceof Element && !neverRead(node)) length += lengthOfNodes(node.children);
  }
  return length;
}
