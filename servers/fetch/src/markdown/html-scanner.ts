import { Tokenizer } from 'htmlparser2';
import { isLetter } from './characters.ts';

/** A listener for the tags and text of a page in source order. */
export interface Tags {
  /** whether the current element is SVG or MathML */
  isForeign(): boolean;
  text(data: string): void;
  begin(name: string, attributes: Record<string, string> | undefined, selfClosing: boolean): void;
  end(name: string): void;
}

const rawTags = new Set('iframe noembed noframes script style textarea title xmp'.split(' '));
/** An object without a prototype chain, whose members are found as fast as those of any class. */
class Bare {
  [name: string]: string;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');
const GREATER = 0x3e;
const SLASH = 0x2f;

/** Scans the tags and text of a page, with the attributes of these names or all. */
export function scanHtml(html: string, wanted: ReadonlySet<string> | undefined, tags: Tags): void {
  const decode = decoder();
  let from = 0;
  let at = html.indexOf('<');
  while (at >= 0) {
    const next = html.charCodeAt(at + 1);
    if (!isLetter(next) && next !== SLASH && next !== 0x21 && next !== 0x3f) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    if (at > from) tags.text(decode(html.slice(from, at)));
    if (isLetter(next)) from = scanTag(html, at + 1, wanted, tags, decode);
    else if (next === SLASH) from = scanEnd(html, at + 2, tags);
    else from = skipMarkup(html, at + 1, tags);
    at = html.indexOf('<', from);
  }
  if (from < html.length) tags.text(decode(html.slice(from)));
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0b);
}

/** Returns the end of the name that begins here. */
function nameEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const unit = html.charCodeAt(at);
    if (unit === GREATER || unit === SLASH || isSpace(unit)) break;
    at += 1;
  }
  return at;
}

function scanTag(
  html: string,
  from: number,
  wanted: ReadonlySet<string> | undefined,
  tags: Tags,
  decode: (text: string) => string,
): number {
  let at = nameEnd(html, from);
  const name = html.slice(from, at).toLowerCase();
  let attributes: Record<string, string> | undefined;
  let selfClosing = false;
  for (;;) {
    while (at < html.length && (isSpace(html.charCodeAt(at)) || html.charCodeAt(at) === SLASH)) {
      selfClosing = html.charCodeAt(at) === SLASH;
      at += 1;
    }
    // an unfinished tag is dropped
    if (at >= html.length) return html.length;
    if (html.charCodeAt(at) === GREATER) break;
    selfClosing = false;
    const begin = at;
    at += 1;
    while (at < html.length && html.charCodeAt(at) !== 0x3d) {
      const unit = html.charCodeAt(at);
      if (unit === GREATER || unit === SLASH || isSpace(unit)) break;
      at += 1;
    }
    const end = at;
    while (at < html.length && isSpace(html.charCodeAt(at))) at += 1;
    let [valueFrom, valueTo] = [at, at];
    if (html.charCodeAt(at) === 0x3d) {
      at += 1;
      while (at < html.length && isSpace(html.charCodeAt(at))) at += 1;
      const quote = html.charCodeAt(at);
      if (quote === 0x22 || quote === 0x27) {
        valueFrom = at + 1;
        valueTo = html.indexOf(quote === 0x22 ? '"' : "'", valueFrom);
        if (valueTo < 0) return html.length;
        at = valueTo + 1;
      } else {
        valueFrom = at;
        while (at < html.length && html.charCodeAt(at) !== GREATER && !isSpace(html.charCodeAt(at))) at += 1;
        valueTo = at;
      }
    }
    const attribute = html.slice(begin, end).toLowerCase();
    if (wanted?.has(attribute) === false) continue;
    attributes ??= new Bare();
    attributes[attribute] ??= decodeAttribute(html.slice(valueFrom, valueTo), decode);
  }
  const foreign = tags.isForeign();
  tags.begin(name, attributes, selfClosing);
  at += 1;
  if (foreign) return at;
  if (name === 'plaintext') return scanRaw(html, at, html.length, tags);
  if (!rawTags.has(name)) return at;
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = at;
  const to = closing.exec(html)?.index ?? html.length;
  if (name !== 'title' && name !== 'textarea') return scanRaw(html, at, to, tags);
  if (to > at) tags.text(decode(html.slice(at, to).replaceAll('<', '&lt;')));
  return to;
}

function scanRaw(html: string, from: number, to: number, tags: Tags): number {
  if (to > from) tags.text(html.slice(from, to));
  return to;
}

function scanEnd(html: string, from: number, tags: Tags): number {
  if (!isLetter(html.charCodeAt(from))) return after(html, '>', from);
  const end = nameEnd(html, from);
  tags.end(html.slice(from, end).toLowerCase());
  return after(html, '>', end);
}

/** Returns the end of a comment, a declaration or a bogus comment. */
function skipMarkup(html: string, from: number, tags: Tags): number {
  if (html.startsWith('!--', from)) {
    if (html.startsWith('>', from + 3) || html.startsWith('->', from + 3)) return after(html, '>', from + 3);
    const ordinary = html.indexOf('--', from + 3);
    for (let at = ordinary; at >= 0; at = html.indexOf('--', at + 1)) {
      if (html.charCodeAt(at + 2) === GREATER) return at + 3;
      if (html.startsWith('!>', at + 2)) return at + 4;
    }
    return html.length;
  }
  if (html.startsWith('![CDATA[', from) && tags.isForeign()) {
    const end = html.indexOf(']]>', from + 8);
    scanRaw(html, from + 8, end < 0 ? html.length : end, tags);
    return end < 0 ? html.length : end + 3;
  }
  return after(html, '>', from);
}

function after(html: string, sign: string, from: number): number {
  const at = html.indexOf(sign, from);
  return at < 0 ? html.length : at + 1;
}

/** Returns a function that decodes character references, by the tokenizer of htmlparser2. */
function decoder(): (source: string) => string {
  let out = '';
  let source = '';
  const nothing = (): void => {};
  const take = (start: number, end: number): void => {
    out += source.slice(start, end);
  };
  const point = (code: number): void => {
    out += String.fromCodePoint(code);
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: take,
      ontextentity: point,
      onattribdata: take,
      onattribentity: point,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      onclosetag: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onopentagname: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  return (text) => {
    if (!text.includes('&')) return text;
    [source, out] = [text, ''];
    tokenizer.reset();
    tokenizer.write(text);
    tokenizer.end();
    return out;
  };
}

/** Decodes an attribute's value, whose references follow other rules than those of text. */
function decodeAttribute(value: string, decode: (source: string) => string): string {
  if (!value.includes('&')) return value;
  const quote = value.includes('"') ? "'" : '"';
  return value.includes(quote) ? value : decode(`<a a=${quote}${value}${quote}>`);
}
