import { type ChildNode, type Document, Element, Text } from 'domhandler';
import { elementOf, forEachElement, parseTree, textIn } from './dom-tree.ts';
import { nodesOfData } from './json-nodes.ts';
import { type Content, findContent } from './main-content.ts';
import { readFlight } from './react-flight.ts';

/** Characters of scripts that are read. */
const MAX_DATA = 4_000_000;
/** Characters of an article body that is used without comparison; a shorter one may be a summary. */
const LONG_BODY = 500;
const ASSIGNING = /^(?:(?:window|self|globalThis)(?:\.|\[["'])|var\s+)[\w$]+(?:["']\])?\s*=\s*(?=[{[])/;

/** Content that a page shows only after its scripts have run, and where it was found. */
export interface Recovered {
  readonly content: Content;
  readonly method: string;
}

/** Returns the content in a page's scripts: the article body of its JSON-LD, or else the source with the most text. */
export function recoverContent(document: Document, articleBody: string | undefined): Recovered | undefined {
  if (articleBody !== undefined && articleBody.length >= LONG_BODY) {
    return {
      content: findContent(elementOf('body', {}, nodesOfBody(articleBody))),
      method: 'structured data',
    };
  }
  const scripts = scriptsOf(document);
  const sources: readonly (readonly [method: string, nodes: () => ChildNode[]])[] = [
    ['noscript', () => copyElements(document, 'noscript')],
    ['script template', () => templatesIn(scripts)],
    ['flight data', () => readFlight(scripts.map(({ text }) => text))],
    ['page data', () => dataIn(scripts).flatMap(nodesOfData)],
    ['structured data', () => nodesOfBody(articleBody)],
  ];
  let best: Recovered | undefined;
  for (const [method, nodes] of sources) {
    const body = elementOf('body', {}, nodes());
    if (body.children.length === 0) continue;
    const content = findContent(body);
    if (content.kept > (best?.content.kept ?? 0)) best = { content, method };
  }
  return best;
}

interface Script {
  readonly type: string;
  readonly text: string;
}

function scriptsOf(document: Document): Script[] {
  const scripts: Script[] = [];
  let size = 0;
  forEachElement(document, (element) => {
    if (element.name !== 'script' || element.attribs.src !== undefined) return true;
    const text = element.children.map((child) => (child instanceof Text ? child.data : '')).join('');
    size += text.length;
    if (size <= MAX_DATA) scripts.push({ type: (element.attribs.type ?? '').toLowerCase(), text });
    return false;
  });
  return scripts;
}

/** Returns the JSON of script elements, and of assignments to global variables. */
function dataIn(scripts: readonly Script[]): unknown[] {
  return scripts.flatMap(({ type, text }) => {
    if (text.length < 200 || type.includes('ld+json')) return [];
    const json = type.includes('json') ? text : assignedIn(text.trim());
    if (json === undefined) return [];
    try {
      return [JSON.parse(json) as unknown];
    } catch {
      // code that only looks like JSON
      return [];
    }
  });
}

/** Returns the value of a script that is a single assignment, if it may be JSON. */
function assignedIn(script: string): string | undefined {
  const begin = ASSIGNING.exec(script)?.[0].length;
  if (begin === undefined) return undefined;
  const value = (script.endsWith(';') ? script.slice(begin, -1) : script.slice(begin)).trimEnd();
  return /[}\]]$/.test(value) ? value : undefined;
}

function templatesIn(scripts: readonly Script[]): ChildNode[] {
  return scripts
    .filter(({ type, text }) => /template|text\/html|handlebars/.test(type) && text.length > 200)
    .flatMap(({ text }) => parseTree(text).document.children);
}

/** Copies the elements that a browser shows only without scripts. */
function copyElements(document: Document, name: string): ChildNode[] {
  const copies: ChildNode[] = [];
  forEachElement(document, (element) => {
    if (element.name !== name) return true;
    if (textIn(element, 200).length >= 100) copies.push(elementOf('div', {}, element.children.map(copyOf)));
    return false;
  });
  return copies;
}

function copyOf(node: ChildNode): ChildNode {
  if (node instanceof Text) return new Text(node.data);
  if (node instanceof Element) return elementOf(node.name, node.attribs, node.children.map(copyOf));
  return new Text('');
}

function nodesOfBody(body: string | undefined): ChildNode[] {
  if (body === undefined) return [];
  if (/<\/?[a-z][^<>]*>/i.test(body)) return parseTree(body).document.children;
  return body.split(/\n+/).map((paragraph) => elementOf('p', {}, [new Text(paragraph)]));
}
