import { type ChildNode, Document, Element, Text } from 'domhandler';
import { type Attributes, both, type Events, parseHtml } from '../markdown/html-parser.ts';

/** Depth of the tree; deeper elements are added at this depth. */
const MAX_DEPTH = 400;
/** Nodes of the tree; those beyond are left out. */
const MAX_NODES = 400_000;

export type Parent = Document | Element;

/** A page as a tree, and whether its end was left out. */
export interface Tree {
  readonly document: Document;
  readonly cut: boolean;
}

/** Parses a page to a tree without comments, of limited depth and size. */
export function parseTree(html: string, listener?: Events): Tree {
  const builder = new TreeBuilder();
  parseHtml(html, listener === undefined ? builder : both(listener, builder), 'all');
  return { document: builder.document, cut: builder.cut };
}

class TreeBuilder implements Events {
  readonly document = new Document([]);
  readonly #open: Parent[] = [this.document];
  #nodes = 0;
  /** open elements that are not on the stack of open nodes */
  #beyond = 0;
  cut = false;

  open(name: string, attributes: Attributes): void {
    if (this.cut) {
      this.#beyond++;
      return;
    }
    const element = this.#add(new Element(name, attributes));
    if (this.#open.length > MAX_DEPTH || this.#beyond > 0) this.#beyond++;
    else this.#open.push(element);
  }

  text(data: string): void {
    if (this.cut) return;
    const { children } = this.#open[this.#open.length - 1]!;
    const last = children[children.length - 1];
    if (last instanceof Text) last.data += data;
    else this.#add(new Text(data));
  }

  close(): void {
    if (this.#beyond > 0) this.#beyond--;
    else this.#open.pop();
  }

  /** Closes an element before those inside it, which continue as copies outside of it. */
  cease(name: string): void {
    const at = this.#open.findLastIndex((node) => node instanceof Element && node.name === name);
    if (at < 0 || this.#beyond > 0 || this.cut) return;
    const inner = this.#open.splice(at).slice(1) as Element[]; // only the first is the document
    this.#open.push(this.#add(new Element('span', {})));
    for (const { name: within, attribs } of inner) this.#open.push(this.#add(new Element(within, attribs)));
  }

  #add<T extends ChildNode>(node: T): T {
    append(this.#open[this.#open.length - 1]!, node);
    if (++this.#nodes >= MAX_NODES) this.cut = true;
    return node;
  }
}

/** Returns the parent of a node, which is null for a document and for a node that is detached. */
export function parentOf(node: ChildNode): Parent | null {
  return node.parent as Parent | null; // the trees of this module have no other parents
}

/** Appends a node to another. */
export function append(parent: Parent, node: ChildNode): void {
  const last = parent.children[parent.children.length - 1];
  node.parent = parent;
  node.prev = last ?? null;
  node.next = null;
  if (last !== undefined) last.next = node;
  parent.children.push(node);
}

/** Returns an element with these children. */
export function elementOf(
  name: string,
  attribs: Record<string, string>,
  children: readonly ChildNode[],
): Element {
  const element = new Element(name, attribs);
  for (const child of children) append(element, child);
  return element;
}

/** Returns the first descendant in document order for which `passes` returns true. */
export function findElement(parent: Parent, passes: (element: Element) => boolean): Element | undefined {
  for (const child of parent.children) {
    if (!(child instanceof Element)) continue;
    const found = passes(child) ? child : findElement(child, passes);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Calls `visit` for every descendant in document order; where it returns false, not for the element's children. */
export function forEachElement(parent: Parent, visit: (element: Element) => boolean | undefined): void {
  for (const child of parent.children) {
    if (child instanceof Element && visit(child) !== false) forEachElement(child, visit);
  }
}

/** Returns the text of an element up to a number of characters, with normalized white space. */
export function textIn(parent: Parent, most = Number.POSITIVE_INFINITY): string {
  let text = '';
  const walk = (node: Parent): void => {
    for (const child of node.children) {
      if (text.length > most) return;
      if (child instanceof Text) text += child.data;
      else if (child instanceof Element) walk(child);
    }
  };
  walk(parent);
  return evenSpace(text);
}

/** Replaces each run of white space by one space, and trims the text. */
export function evenSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
