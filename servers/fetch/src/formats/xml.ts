import { Parser } from 'htmlparser2';
import { removeInvisible } from '../markdown/invisible.ts';
import { resolveUrl } from '../markdown/urls.ts';
import { type Link, nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';

export interface XmlBounds {
  /** characters of XML that is formatted; longer XML keeps its layout */
  readonly characters: number;
}

const defaultBounds: XmlBounds = { characters: 8_000_000 };
/** Depth of the indentation. */
const INDENTED = 40;
/** Depth up to which XML is formatted; the parser slows down with depth. */
const DEEPEST = 500;
const PIECE = 16_384;
const LINE_LENGTH = 100;
const MOST_LINKS = 2000;

/**
 * Formats XML in lines without comments, declarations and document types. Only XML's five entities and numeric
 * character references are expanded.
 */
export function readXml(input: TextInput, bounds: Partial<XmlBounds> = {}): Reading {
  const { characters } = { ...defaultBounds, ...bounds };
  const { text: source, removed } = removeInvisible(input.text);
  const layout = source.length > characters ? undefined : layOut(source, input.url, characters);
  return {
    kind: 'xml',
    mediaType: input.mediaType,
    text: layout?.text ?? source,
    charset: input.charset,
    headings: [],
    links: layout?.links ?? [],
    metadata: {},
    removed: {
      ...nothingRemoved,
      hidden: layout?.comments ?? 0,
      invisible: removed + (layout?.invisible ?? 0),
    },
  };
}

interface Layout {
  readonly text: string;
  readonly links: Link[];
  readonly comments: number;
  readonly invisible: number;
}

interface Open {
  readonly name: string;
  readonly tag: string;
  text: string;
  hasChildren: boolean;
}

/** Formats the elements of XML, on one line if they have only text; returns undefined if it is too long or too deep. */
function layOut(source: string, base: string, limit: number): Layout | undefined {
  const lines: string[] = [];
  const links = new Map<string, Link>();
  const open: Open[] = [];
  let length = 0;
  let deepest = 0;
  let comments = 0;
  let invisible = 0;
  const addLine = (depth: number, text: string) => {
    const line = `${'  '.repeat(Math.min(depth, INDENTED))}${text}`;
    length += line.length + 1;
    lines.push(line);
  };
  /** writes the pending start tag and text of an element */
  const flush = (element: Open) => {
    const depth = open.length - 1;
    if (!element.hasChildren) addLine(depth, `${element.tag}>`);
    if (element.text.trim() !== '') addLine(depth + 1, escapeText(element.text.trim()));
    element.text = '';
    element.hasChildren = true;
  };
  const addLink = (href: string) => {
    const url = links.size < MOST_LINKS ? resolveUrl(href, base) : undefined;
    if (url !== undefined && !links.has(url)) links.set(url, { url, text: '', place: 'content' });
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const parent = open.at(-1);
        if (parent !== undefined) flush(parent);
        let tag = `<${name}`;
        for (const [key, value] of Object.entries(attributes)) {
          tag += ` ${key}="${escapeText(value).replaceAll('"', '&quot;')}"`;
          if (/^(?:[\w-]+:)?(?:href|url|src)$/i.test(key)) addLink(value);
        }
        open.push({ name, tag, text: '', hasChildren: false });
        deepest = Math.max(deepest, open.length);
      },
      ontext: (text) => {
        const visible = removeInvisible(text);
        invisible += visible.removed;
        const element = open.at(-1);
        if (element !== undefined) element.text += visible.text;
      },
      onclosetag: () => {
        const element = open.at(-1);
        if (element === undefined) return;
        const text = element.text.trim();
        if (/^(?:https?:\/\/)\S+$/.test(text)) addLink(text);
        if (element.hasChildren) {
          if (text !== '') flush(element);
          addLine(open.length - 1, `</${element.name}>`);
        } else if (text === '') {
          addLine(open.length - 1, `${element.tag}/>`);
        } else if (text.length <= LINE_LENGTH || !text.includes('\n')) {
          addLine(open.length - 1, `${element.tag}>${escapeText(text)}</${element.name}>`);
        } else {
          flush(element);
          addLine(open.length - 1, `</${element.name}>`);
        }
        open.pop();
      },
      oncomment: () => {
        comments += 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const fits = () => length <= limit && deepest <= DEEPEST;
  for (let at = 0; at < source.length && fits(); at += PIECE) parser.write(source.slice(at, at + PIECE));
  if (!fits()) return undefined;
  parser.end();
  return { text: lines.join('\n'), links: [...links.values()], comments, invisible };
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
