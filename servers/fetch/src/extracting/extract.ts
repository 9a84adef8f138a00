import type { ChildNode } from 'domhandler';
import { convertHtml, convertTree } from '../markdown/convert.ts';
import { readStyles } from '../markdown/style-sheets.ts';
import { resolveUrl } from '../markdown/urls.ts';
import type { Converted } from '../markdown/writer.ts';
import type { Extraction, Heading, Link, Metadata, Removed } from '../reading/reading.ts';
import { findArticle, isShell } from './article.ts';
import { elementOf, parseTree } from './dom-tree.ts';
import { attribsIn, readLinks } from './links.ts';
import { lengthOfNodes } from './main-content.ts';
import { readMetadata, resolve } from './metadata.ts';
import { PageFacts } from './page-facts.ts';
import { selectElements } from './selector.ts';
import { settle } from './streamed-content.ts';

export interface HtmlRequest {
  /** the base of relative links, unless the page has a base element */
  readonly url: string;
  /** the main content, or the whole page */
  readonly want: 'article' | 'page';
  /** a CSS selector: only the elements that match are read */
  readonly selector?: string | undefined;
}

/** An HTML page as Markdown, with its metadata. */
export interface HtmlReading {
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly metadata: Metadata;
  readonly removed: Removed;
  readonly extraction: Extraction;
}

/** A page, and the facts that the parser collected. */
interface Source {
  readonly html: string;
  readonly facts: PageFacts;
  readonly url: string;
}

const LONGEST_REFRESH = 500;
const refresh = /^[\d.]* ?[;, ] ?(?:url ?= ?)?["']?([^"' ]+)/i;
/** Characters of text below which a page may hide its text until scripts show it. */
const HARDLY_ANY = 100;

/** Converts an HTML page, or a part of it; fails only for a selector that is invalid or matches nothing. */
export function readHtml(html: string, { url, want, selector }: HtmlRequest): HtmlReading {
  const source: Source = { html, facts: new PageFacts(), url };
  if (selector !== undefined) return readSelection(source, selector);
  if (want === 'article') return readArticle(source);
  const reading = readWhole(source);
  return isShell(reading.text.length, source.facts)
    ? readArticle({ ...source, facts: new PageFacts() })
    : reading;
}

function readArticle(source: Source): HtmlReading {
  const { nodes, extraction, hidden } = findArticle(parseTree(source.html, source.facts), source.facts);
  const reading = readNodes(source, nodes, extraction);
  return { ...reading, removed: { ...reading.removed, hidden: reading.removed.hidden + hidden } };
}

function readSelection(source: Source, selector: string): HtmlReading {
  const { document } = parseTree(source.html, source.facts);
  settle(document);
  const nodes = selectElements(document, selector);
  const share = lengthOfNodes(nodes) / (lengthOfNodes(document.children) || 1);
  return readNodes(source, nodes, { method: 'selector', coverage: Math.round(100 * share) / 100, notes: [] });
}

function readNodes(source: Source, nodes: readonly ChildNode[], extraction: Extraction): HtmlReading {
  const content = attribsIn(nodes);
  const box = elementOf('div', {}, nodes);
  const options = { base: baseOf(source), styles: readStyles(source.html) };
  const converted = convertTree(box, options);
  const { text, hiddenText } = converted;
  if (text.length >= HARDLY_ANY || hiddenText < HARDLY_ANY) {
    return toReading(source, converted, extraction, (attribs) => content.has(attribs));
  }
  const notes = [...extraction.notes, 'the page hides this text until its scripts show it'];
  const withHidden = convertTree(box, { ...options, keepHidden: true });
  return toReading(source, withHidden, { ...extraction, notes }, (attribs) => content.has(attribs));
}

function readWhole(source: Source): HtmlReading {
  const converted = convertHtml(source.html, { base: source.url }, source.facts);
  return toReading(source, converted, { method: 'whole page', coverage: 1, notes: [] }, () => true);
}

function toReading(
  source: Source,
  { text, headings, removed, isCut }: Converted,
  extraction: Extraction,
  isContent: (attribs: object) => boolean,
): HtmlReading {
  const base = baseOf(source);
  const next = refreshTarget(source.facts, base);
  const notes = [
    ...(next === undefined ? [] : [`the page refreshes to ${next}`]),
    ...extraction.notes,
    ...(isCut ? ['the text was cut at its limit'] : []),
  ];
  const links = readLinks(source.facts, base, isContent);
  return {
    text,
    headings,
    removed,
    links: next === undefined ? links : [...links, { url: next, text: '', place: 'head' }],
    metadata: readMetadata(source.facts, base),
    extraction: { ...extraction, notes },
  };
}

function baseOf({ facts, url }: Source): string {
  return resolve(facts.first.base, url) ?? url;
}

/** Returns the URL of a `meta` refresh, which is not followed; undefined if the page refreshes itself. */
function refreshTarget(facts: PageFacts, base: string): string | undefined {
  const content = facts.metas.find(({ name }) => name === 'refresh')?.content.replace(/\s+/g, ' ');
  const target = content === undefined ? undefined : refresh.exec(content)?.[1];
  const url = target === undefined ? undefined : resolveUrl(target, base);
  const leads = url !== undefined && /^https?:/.test(url) && url.length <= LONGEST_REFRESH && url !== base;
  return leads ? url : undefined;
}
