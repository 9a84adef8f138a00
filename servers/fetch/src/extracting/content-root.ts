import { Element } from 'domhandler';
import { type Parent, parentOf } from './dom-tree.ts';
import { isInline, type Weights } from './text-weight.ts';

/** Share of the mass that a child must have to be chosen instead of its parent. */
const SHARE = 0.6;
const PARTS = /^(?:p|pre|ul|ol|li|dl|dd|dt|blockquote|tbody|thead|tr|h[1-6]|figure)$/;

/** Returns the smallest element that holds most of the prose. */
export function chooseRoot(body: Parent, weights: Weights): Parent {
  let root = body;
  for (;;) {
    const next = heaviest(root, weights);
    if (next === undefined || massOf(next, weights) < SHARE * massOf(root, weights)) break;
    root = next;
  }
  while (root instanceof Element && root !== body && PARTS.test(root.name)) root = parentOf(root) ?? body;
  return root;
}

/** Returns the heaviest child block of an element; inline elements count as their children. */
function heaviest(parent: Parent, weights: Weights): Element | undefined {
  let best: Element | undefined;
  const visit = (node: Parent): void => {
    for (const child of node.children) {
      if (!(child instanceof Element)) continue;
      if (isInline(child)) visit(child);
      else if (massOf(child, weights) > (best === undefined ? 0 : massOf(best, weights))) best = child;
    }
  };
  visit(parent);
  return best;
}

function massOf(node: Parent, weights: Weights): number {
  return weights.get(node)?.mass ?? 0;
}
