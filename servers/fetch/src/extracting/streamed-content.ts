import { type ChildNode, type Document, Element } from 'domhandler';
import { append, forEachElement, parentOf, textIn } from './dom-tree.ts';

/** Moves streamed content and shadow trees to their place in the document, as a browser does. */
export function settle(document: Document): void {
  const templates: Element[] = [];
  const streamed = new Map<string, Element>();
  const moves = new Map<string, string>();
  forEachElement(document, (element) => {
    const { id = '' } = element.attribs;
    if (element.name === 'template') templates.push(element);
    else if (element.attribs.hidden !== undefined && id.startsWith('S:')) streamed.set(id, element);
    else if (element.name === 'script' && element.attribs.src === undefined) readMoves(element, moves);
    return element.name !== 'template';
  });
  for (const template of templates) {
    const source = streamed.get(moves.get(template.attribs.id ?? '') ?? '');
    if (source !== undefined) {
      streamed.delete(source.attribs.id!);
      detach(source);
      replace(template, source.children);
    } else if (template.attribs.shadowrootmode !== undefined) replace(template, template.children);
  }
  for (const element of streamed.values()) replace(element, element.children);
}

/** Reads calls such as `$RC("B:0","S:0")` and `$RS("S:1","P:1")`, which move streamed content into its place. */
function readMoves(script: Element, moves: Map<string, string>): void {
  const text = textIn(script, 20_000);
  if (!text.includes('$R')) return;
  for (const [, from, to] of text.matchAll(/\$R[A-Z]\("([BPS]:[\da-f]+)","([BPS]:[\da-f]+)"/g)) {
    if (from!.startsWith('S')) moves.set(to!, from!);
    else moves.set(from!, to!);
  }
}

function replace(element: Element, children: readonly ChildNode[]): void {
  const parent = parentOf(element);
  if (parent === null) return;
  const box = new Element('div', {});
  for (const child of children) append(box, child);
  box.parent = parent;
  parent.children[parent.children.indexOf(element)] = box;
}

function detach(element: Element): void {
  const parent = parentOf(element);
  if (parent !== null) parent.children.splice(parent.children.indexOf(element), 1);
  element.parent = null;
}
