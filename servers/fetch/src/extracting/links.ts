import { type ChildNode, Element } from 'domhandler';
import { LinkList } from '../markdown/link-list.ts';
import type { Link } from '../reading/reading.ts';
import { evenSpace, forEachElement } from './dom-tree.ts';
import { relationsOf, resolve } from './metadata.ts';
import type { PageFacts } from './page-facts.ts';

const MAX_LINKS = 5000;
/** Link relations that concern browsers, not readers. */
const FOR_BROWSERS =
  /stylesheet|icon|pre(?:load|connect|fetch|render)|dns-prefetch|manifest|mask|pingback|shortlink|edituri|wlwmanifest|profile/;

/** Returns the attribute objects of all links in nodes, identical to those of the parsed page. */
export function attribsIn(nodes: readonly ChildNode[]): ReadonlySet<object> {
  const found = new Set<object>();
  const visit = (element: Element): undefined => {
    if (element.name === 'a') found.add(element.attribs);
  };
  for (const node of nodes) {
    if (!(node instanceof Element)) continue;
    visit(node);
    forEachElement(node, visit);
  }
  return found;
}

/**
 * Returns the links of a page, each URL once for each place, with their number; without fragments of the page itself.
 */
export function readLinks(
  facts: PageFacts,
  base: string,
  isContent: (attribs: Readonly<Record<string, string>>) => boolean,
): Link[] {
  const links = new LinkList(MAX_LINKS);
  const resolved = new Map<string, string | undefined>();
  for (const { attribs, head, text, times } of facts.links) {
    const address = attribs.href!.trim();
    if (address === '' || address.startsWith('#')) continue;
    const rel = relationsOf(attribs).join(' ');
    if (head && (rel === '' || FOR_BROWSERS.test(rel))) continue;
    // a page repeats its own URLs, and resolving one takes two parses
    if (!resolved.has(address)) resolved.set(address, resolve(address, base));
    const url = resolved.get(address);
    if (url === undefined) continue;
    const place = head ? 'head' : isContent(attribs) ? 'content' : 'navigation';
    links.add({
      url,
      text: evenSpace(head ? (attribs.title ?? '') : text),
      place,
      ...(rel !== '' && { rel }),
      ...(times > 1 && { times }),
    });
  }
  return links.all();
}
