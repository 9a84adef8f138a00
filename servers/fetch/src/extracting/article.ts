import type { ChildNode } from 'domhandler';
import type { Extraction } from '../reading/reading.ts';
import type { Tree } from './dom-tree.ts';
import { type Content, findContent, visibleTextLength } from './main-content.ts';
import { articleBodyOf } from './metadata.ts';
import type { PageFacts } from './page-facts.ts';
import { type Recovered, recoverContent } from './script-content.ts';
import { settle } from './streamed-content.ts';

/** The main content of a page, and how it was found. */
export interface Article {
  readonly nodes: readonly ChildNode[];
  readonly extraction: Extraction;
  /** hidden elements that were removed */
  readonly hidden: number;
}

/** Characters of visible text below which data in the page may hold more. */
const THIN = 300;
const LEAST_RECOVERED = 200;
/** Characters of data that replace the content of a page that is a list of links. */
const LEAST_FOR_LIST = 1000;
/** Characters of text below which a page with scripts is an empty shell. */
const SHELL = 200;

/** Finds the main content of a page: its visible text, or the text in its scripts if that is much longer. */
export function findArticle({ document, cut }: Tree, facts: PageFacts): Article {
  settle(document);
  const visible = findContent(document);
  const recovered = recover({ document, cut }, visible, facts);
  const content = recovered?.content ?? visible;
  const notes = [
    ...(cut ? ['the page is too large, so its end was not read'] : []),
    ...(recovered === undefined ? notesOn(visible, facts) : [noteOnRecovered(recovered)]),
  ];
  const visibleLength = visibleTextLength(document);
  const coverage =
    recovered === undefined && visibleLength > 0 ? Math.min(1, content.kept / visibleLength) : 1;
  return {
    nodes: content.nodes,
    hidden: content.hidden,
    extraction: {
      method: recovered?.method ?? methodOf(visible),
      coverage: Math.round(coverage * 100) / 100,
      notes,
    },
  };
}

function recover({ document }: Tree, visible: Content, facts: PageFacts): Recovered | undefined {
  const body = articleBodyOf(facts);
  const isThin = visible.kept < THIN;
  const isShort = body !== undefined && body.length > 2 * visible.kept;
  if (!isThin && !isShort && visible.seeks === 'prose') return undefined;
  const recovered = recoverContent(document, body);
  if (recovered === undefined) return undefined;
  const { kept, seeks } = recovered.content;
  const enough =
    isThin || isShort
      ? kept >= LEAST_RECOVERED && kept > 2 * visible.kept
      : kept >= LEAST_FOR_LIST && seeks === 'prose';
  return enough ? recovered : undefined;
}

function methodOf({ trust, seeks }: Content): string {
  if (trust === undefined) return 'whole page';
  return seeks === 'links' ? 'list of links' : 'main content';
}

function noteOnRecovered({ method }: Recovered): string {
  return `the text comes from the page's ${method}, because only scripts display it`;
}

function notesOn({ trust, seeks, total }: Content, facts: PageFacts): string[] {
  if (isShell(total, facts)) return ['scripts fill this page: its HTML has hardly any text'];
  if (trust === undefined) return ['no main content was found, so this is the whole page'];
  if (seeks === 'links') return ['the page is a list of links rather than a text'];
  return trust === 'names' ? [] : ['the main content is uncertain, so less was left out than usual'];
}

/** Returns whether a page has so little text that its scripts must load the rest. */
export function isShell(text: number, { scripts }: PageFacts): boolean {
  return text < SHELL && scripts > 0;
}
