import { selectAll } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';
import { WebError } from '../failure.ts';

const LONGEST = 1000;

/** Returns the elements that match a CSS selector, in document order, without those inside another match. */
export function selectElements(document: Document, selector: string): Element[] {
  if (selector.length > LONGEST) throw invalid(selector, `it has more than ${LONGEST} characters`);
  const found = matches(document, selector);
  if (found.length === 0) {
    throw new WebError(`nothing on the page matches the selector ${JSON.stringify(selector)}`, {
      code: 'not-found',
      hint: 'read the page without selector to see what is on it',
    });
  }
  const all = new Set<AnyNode>(found);
  return found.filter((element) => !isWithin(element, all));
}

function matches(document: Document, selector: string): Element[] {
  try {
    return selectAll<AnyNode, Element>(selector, document);
  } catch (cause) {
    throw invalid(selector, reasonOf(selector, cause), cause);
  }
}

/**
 * Returns the problem of a selector and its position: the parser's message ends with the rest that it could not read.
 */
function reasonOf(selector: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const rest = /^(?:Unmatched selector: |Expected name, found )([\s\S]*)$/.exec(message)?.[1];
  const at = rest === undefined ? undefined : selector.length - rest.length;
  if (at === undefined) return lowerFirst(message);
  return rest === '' ? 'it is incomplete' : `unexpected text at character ${at + 1}: ${rest}`;
}

function invalid(selector: string, reason: string, cause?: unknown): WebError {
  return new WebError(
    `selector ${JSON.stringify(selector.slice(0, 100))} is not a valid CSS selector: ${reason}`,
    {
      code: 'invalid-request',
      hint: 'give a CSS selector such as main, #content or table.prices',
      cause,
    },
  );
}

function isWithin(element: Element, others: ReadonlySet<AnyNode>): boolean {
  for (let at: AnyNode | null = element.parent; at !== null; at = at.parent) if (others.has(at)) return true;
  return false;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
