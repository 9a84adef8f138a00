import type { AnyNode, Element, ParentNode } from 'domhandler';
import { both, type Events, parseHtml } from './html-parser.ts';
import { readStyles } from './style-sheets.ts';
import { type Converted, MarkdownWriter, type WriterOptions } from './writer.ts';

/** Converts a page to Markdown in one pass; `listener` receives the same events. */
export function convertHtml(html: string, options: WriterOptions, listener?: Events): Converted {
  const streamed = html.includes('$RC(');
  const writer = new MarkdownWriter({ styles: readStyles(html), streamed, ...options });
  parseHtml(html, listener === undefined ? writer : both(writer, listener));
  return writer.end();
}

/** Converts a tree of domhandler, or a part of it, to Markdown. */
export function convertTree(node: AnyNode, options: WriterOptions): Converted {
  const writer = new MarkdownWriter(options);
  walkTree(node, writer);
  return writer.end();
}

/** Emits the events of a tree that the parser would emit. */
export function walkTree(root: AnyNode, events: Events): void {
  let node: AnyNode | null = root;
  while (node !== null) {
    if (node.type === 'text') events.text(node.data);
    if (isElement(node)) events.open(node.name, node.attribs);
    let next: AnyNode | null = (hasChildren(node) && node.children[0]) || null;
    while (next === null && node !== null) {
      if (isElement(node)) events.close(node.name);
      if (node === root) return;
      next = node.next;
      if (next === null) node = node.parent;
    }
    node = next;
  }
}

function isElement(node: AnyNode): node is Element {
  return node.type === 'tag' || node.type === 'script' || node.type === 'style';
}

function hasChildren(node: AnyNode): node is ParentNode & AnyNode {
  return node.type !== 'comment' && 'children' in node;
}
