import { Element } from 'domhandler';
import { namesLead, namesSurroundings } from './class-names.ts';
import { type Parent, parentOf } from './dom-tree.ts';
import { isLeftOut, type Trust, type Weights } from './text-weight.ts';

/** Ancestors of the root whose siblings may continue the content. */
const LEVELS = 3;
const LONGEST_LEAD = 1500;

/** Content outside the root that belongs to it. */
export interface Joined {
  readonly before: readonly Element[];
  readonly after: readonly Element[];
}

interface Joining {
  readonly weights: Weights;
  readonly trust: Trust;
  /** the title above the content */
  readonly title: Element | undefined;
  /** mass of the root */
  readonly mass: number;
}

/** Finds the introduction between the title and the root, and the siblings after the root that continue the content. */
export function join(body: Parent, root: Parent, weights: Weights, trust: Trust): Joined {
  const title = trust === 'nothing' ? undefined : headingBefore(body, root);
  const joining: Joining = { weights, trust, title, mass: weights.get(root)?.mass ?? 0 };
  const holders = title === undefined ? new Set<Parent>() : ancestorsOf(title);
  const before: Element[] = [];
  const after: Element[] = [];
  let [leading, continuing] = [true, true];
  let level = 0;
  let inner = root;
  while (inner !== body && inner instanceof Element) {
    const parent = parentOf(inner) ?? body;
    const { children } = parent;
    const at = children.indexOf(inner);
    if (leading) before.unshift(...children.slice(0, at).flatMap((node) => leadsIn(node, joining, holders)));
    if (++level > LEVELS || inner.name === 'article' || inner.name === 'main') continuing = false;
    if (continuing) {
      for (const node of children.slice(at + 1)) {
        if (node instanceof Element && continues(node, inner, joining)) after.push(node);
      }
    }
    if (holders.has(parent)) leading = false;
    if (!leading && !continuing) break;
    inner = parent;
  }
  return { before, after };
}

function continues(node: Element, beside: Element, { weights, trust, mass }: Joining): boolean {
  const weight = weights.get(node);
  if (weight === undefined || weight.mass === 0) return false;
  if (isLeftOut(node, trust) || namesSurroundings(node)) return false;
  if (node.name === 'article' && beside.name !== 'article') return false;
  if (weight.linked > 0.25 * weight.text || weight.linkedHeadings > 1) return false;
  const alike = node.name === beside.name && node.attribs.class === beside.attribs.class;
  return weight.mass > (alike ? 0.03 : 0.15) * mass;
}

function leadsIn(node: unknown, joining: Joining, holders: ReadonlySet<Parent>): Element[] {
  const { weights, trust, title } = joining;
  if (!(node instanceof Element) || node === title || isLeftOut(node, trust)) return [];
  if (namesSurroundings(node) && !namesLead(node)) return [];
  if (holders.has(node)) {
    const above = node.children.findIndex(
      (child) => child === title || (child instanceof Element && holders.has(child)),
    );
    return node.children.slice(above).flatMap((child) => leadsIn(child, joining, holders));
  }
  const weight = weights.get(node);
  if (weight === undefined || weight.text < 40 || weight.text > LONGEST_LEAD) return [];
  if (weight.linked > 0.3 * weight.text || weight.linkedHeadings > 0) return [];
  const isProse = title !== undefined && weight.paragraphs > 0 && weight.mass > 0.5 * weight.text;
  return namesLead(node) || isProse ? [node] : [];
}

/** Returns the last h1 before an element. */
function headingBefore(body: Parent, root: Parent): Element | undefined {
  let found: Element | undefined;
  const walk = (parent: Parent): boolean => {
    for (const child of parent.children) {
      if (child === root) return true;
      if (!(child instanceof Element)) continue;
      if (child.name === 'h1') found = child;
      else if (walk(child)) return true;
    }
    return false;
  };
  return walk(body) ? found : undefined;
}

function ancestorsOf(node: Element): Set<Parent> {
  const ancestors = new Set<Parent>();
  for (let at = parentOf(node); at !== null; at = at instanceof Element ? parentOf(at) : null)
    ancestors.add(at);
  return ancestors;
}
