import { type AnyNode, DomHandler, type Element, isTag } from 'domhandler';
import { getChildren } from 'domutils';
import { Parser } from 'htmlparser2';
import { walkTree } from '../markdown/convert.ts';

/** A feed; its texts are HTML. */
export interface Feed {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly link?: string | undefined;
  readonly author?: string | undefined;
  readonly updated?: string | undefined;
  readonly language?: string | undefined;
  readonly items: readonly FeedItem[];
}

export interface FeedItem {
  readonly title?: string | undefined;
  readonly link?: string | undefined;
  readonly date?: string | undefined;
  readonly author?: string | undefined;
  readonly summary?: string | undefined;
}

/** Limits of a feed: its items, and its depth. */
const MOST_ITEMS = 10_000;
const DEEPEST = 500;
const PIECE = 16_384;

/**
 * Parses RSS of any version, or Atom; returns undefined for another root element. Only the entities of XML are
 * expanded.
 */
export function parseXmlFeed(source: string): Feed | undefined {
  const root = parseRoot(source);
  switch (root === undefined ? '' : localName(root)) {
    case 'rss': {
      const channel = child(root!, 'channel') ?? root!;
      return rssFeed(channel, children(channel, 'item'));
    }
    case 'rdf':
      return rssFeed(child(root!, 'channel') ?? root!, children(root!, 'item'));
    case 'feed':
      return atomFeed(root!);
    default:
      return undefined;
  }
}

/** Returns the root element of XML as a tree; undefined if there is none or it is too deep. */
function parseRoot(source: string): Element | undefined {
  const handler = new DomHandler();
  let depth = 0;
  let deepest = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        handler.onopentag(name, attributes);
      },
      onclosetag: () => {
        depth -= 1;
        handler.onclosetag();
      },
      ontext: (text) => handler.ontext(text),
    },
    { xmlMode: true },
  );
  // in pieces, because the parser slows down with depth
  for (let at = 0; at < source.length && deepest <= DEEPEST; at += PIECE)
    parser.write(source.slice(at, at + PIECE));
  if (deepest > DEEPEST) return undefined;
  parser.end();
  return handler.dom.find(isTag);
}

/** Parses JSON Feed; returns undefined for other JSON. */
export function parseJsonFeed(source: string): Feed | undefined {
  const feed = asRecord(parseJson(source));
  if (feed === undefined || !Array.isArray(feed.items)) return undefined;
  return {
    title: escaped(word(feed.title)),
    description: escaped(word(feed.description)),
    link: word(feed.home_page_url),
    author: escaped(jsonAuthor(feed)),
    language: word(feed.language),
    items: feed.items.slice(0, MOST_ITEMS).flatMap((each) => {
      const item = asRecord(each);
      return item === undefined
        ? []
        : {
            title: escaped(word(item.title)),
            link: word(item.url) ?? word(item.external_url),
            date: word(item.date_published) ?? word(item.date_modified),
            author: escaped(jsonAuthor(item)),
            summary:
              escaped(word(item.summary)) ?? word(item.content_html) ?? escaped(word(item.content_text)),
          };
    }),
  };
}

function rssFeed(channel: Element, items: readonly Element[]): Feed {
  return {
    title: html(channel, 'title'),
    description: html(channel, 'description'),
    link: text(channel, 'link'),
    author: html(channel, 'managingeditor') ?? html(channel, 'creator'),
    updated: text(channel, 'lastbuilddate') ?? text(channel, 'pubdate') ?? text(channel, 'date'),
    language: text(channel, 'language'),
    items: items.slice(0, MOST_ITEMS).map((item) => {
      const guid = child(item, 'guid');
      const permalink = guid?.attribs.isPermaLink === 'false' ? undefined : text(item, 'guid');
      return {
        title: html(item, 'title'),
        link:
          text(item, 'link') ??
          (permalink !== undefined && /^https?:/.test(permalink) ? permalink : undefined),
        date: text(item, 'pubdate') ?? text(item, 'date'),
        author: html(item, 'creator') ?? html(item, 'author'),
        summary: html(item, 'description') ?? html(item, 'encoded'),
      };
    }),
  };
}

function atomFeed(feed: Element): Feed {
  return {
    title: atomText(feed, 'title'),
    description: atomText(feed, 'subtitle') ?? atomText(feed, 'tagline'),
    link: atomLink(feed),
    author: atomAuthor(feed),
    updated: text(feed, 'updated') ?? text(feed, 'modified'),
    language: feed.attribs['xml:lang'],
    items: children(feed, 'entry')
      .slice(0, MOST_ITEMS)
      .map((entry) => ({
        title: atomText(entry, 'title'),
        link: atomLink(entry),
        date:
          text(entry, 'published') ??
          text(entry, 'updated') ??
          text(entry, 'issued') ??
          text(entry, 'modified'),
        author: atomAuthor(entry),
        summary: atomText(entry, 'summary') ?? atomText(entry, 'content'),
      })),
  };
}

/** Returns a text construct of Atom as HTML. */
function atomText(parent: Element, name: string): string | undefined {
  const element = child(parent, name);
  if (element === undefined) return undefined;
  const type = element.attribs.type ?? 'text';
  if (type.includes('xhtml') || (type.includes('xml') && !type.includes('html'))) return innerHtml(element);
  const content = wordsOf(element);
  return blankless(type.includes('html') ? content : escaped(content));
}

function atomLink(parent: Element): string | undefined {
  const links = children(parent, 'link');
  const alternate = links.find(({ attribs }) => (attribs.rel ?? 'alternate') === 'alternate');
  return blankless((alternate ?? links.find(({ attribs }) => attribs.rel !== 'self'))?.attribs.href);
}

function atomAuthor(parent: Element): string | undefined {
  const names = children(parent, 'author').flatMap((author) => escaped(text(author, 'name')) ?? []);
  return names.length === 0 ? undefined : names.join(', ');
}

/** Returns the children of a local name in lower case. */
function children(parent: Element, name: string): Element[] {
  return getChildren(parent).filter((node): node is Element => isTag(node) && localName(node) === name);
}

function child(parent: Element, name: string): Element | undefined {
  const all = children(parent, name);
  return all.find((element) => !element.name.includes(':')) ?? all[0];
}

function localName(element: Element): string {
  return element.name.slice(element.name.indexOf(':') + 1).toLowerCase();
}

function text(parent: Element, name: string): string | undefined {
  const element = child(parent, name);
  return element === undefined ? undefined : blankless(wordsOf(element));
}

/** Returns text that is HTML by definition; elements inside it count as HTML too. */
function html(parent: Element, name: string): string | undefined {
  const element = child(parent, name);
  if (element === undefined) return undefined;
  const hasElements = getChildren(element).some(isTag);
  return blankless(hasElements ? innerHtml(element) : wordsOf(element));
}

function blankless(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function escaped(value: string | undefined): string | undefined {
  return value?.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  // checked: an object that is not an array
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? blankless(value) : undefined;
}

function jsonAuthor(of: Record<string, unknown>): string | undefined {
  const all = Array.isArray(of.authors) ? of.authors : [of.author];
  const names = all.flatMap((author) => word(asRecord(author)?.name) ?? []);
  return names.length === 0 ? undefined : names.join(', ');
}

/** Returns all text of a node, at any depth. */
function wordsOf(node: AnyNode): string {
  const words: string[] = [];
  walkTree(node, { open() {}, text: (data) => words.push(data), close() {}, cease() {} });
  return words.join('');
}

/** Returns the content of an element as HTML. */
function innerHtml(element: Element): string {
  const parts: string[] = [];
  walkTree(element, {
    open: (name, attributes) => {
      const written = Object.entries(attributes).map(
        ([key, value]) => ` ${key}="${escaped(value)!.replaceAll('"', '&quot;')}"`,
      );
      parts.push(`<${name.slice(name.indexOf(':') + 1)}${written.join('')}>`);
    },
    text: (data) => parts.push(escaped(data)!),
    close: (name) => parts.push(`</${name.slice(name.indexOf(':') + 1)}>`),
    cease() {},
  });
  // without the tags of the element itself
  return parts.slice(1, -1).join('');
}
