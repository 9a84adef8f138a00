import { type ChildNode, type Element, Text } from 'domhandler';
import { elementOf, parseTree } from './dom-tree.ts';

const MAX_STRINGS = 20_000;
const MAX_DEPTH = 60;
const MARKUP = /<(?:p|br|h[1-6]|li|ul|ol|div|section|article|blockquote|table)\b[^<>]*>/i;
const RUN_ON = /^(?:a|(?:hyper)?link|strong|bold|b|em|italic|i|u|underline|span|mark|sub|sup|code)$/;
const TEXT_KEYS =
  /^(?:text|value|content|body|html|markdown|paragraph|description|title|headline|heading|caption|summary|lead|intro|standfirst|answer|question|name)$/i;

/** Converts data of a page to nodes: objects become elements with their key as class, prose becomes paragraphs. */
export function nodesOfData(value: unknown): ChildNode[] {
  return new DataNodes().of(value, '', 0);
}

class DataNodes {
  readonly #seen = new Set<string>();
  #strings = 0;

  of(value: unknown, key: string, depth: number): ChildNode[] {
    if (depth > MAX_DEPTH || this.#strings > MAX_STRINGS) return [];
    if (typeof value === 'string') return this.#ofString(value, key);
    if (typeof value !== 'object' || value === null) return [];
    const run = textRun(value);
    if (run !== undefined) return this.#ofRun(run, typeOf(value));
    const children = Array.isArray(value)
      ? value.flatMap((one) => this.of(one, key, depth + 1))
      : Object.entries(value).flatMap(([name, one]) => this.of(one, name, depth + 1));
    return children.length === 0 ? [] : [box(key, children)];
  }

  #ofRun(text: string, type: string): ChildNode[] {
    const level = /^h(?:eading-)?([1-6])$/.exec(type)?.[1];
    if (level === undefined || text.trim() === '') return this.#ofString(text, 'text');
    return [elementOf(`h${level}`, {}, [new Text(text)])];
  }

  #ofString(text: string, key: string): ChildNode[] {
    this.#strings++;
    if (text.length < 25 || this.#seen.has(text)) return [];
    if (MARKUP.test(text)) {
      this.#seen.add(text);
      return [box(key, parseTree(text).document.children)];
    }
    if (!isProse(text, key)) return [];
    this.#seen.add(text);
    return text.split(/\n{2,}/).map((paragraph) => elementOf('p', {}, [new Text(paragraph)]));
  }
}

function box(key: string, children: readonly ChildNode[]): Element {
  return elementOf('div', key === '' ? {} : { class: key }, children);
}

/** Returns the text of a block whose pieces are separate for their marks and links. */
function textRun(value: object): string | undefined {
  const { children, content } = value as { children?: unknown; content?: unknown }; // unknown members of an object
  const pieces = Array.isArray(children) ? children : Array.isArray(content) ? content : [];
  if (pieces.length === 0) return undefined;
  const texts = pieces.map((piece: unknown) => {
    if (typeof piece === 'string') return piece;
    if (typeof piece !== 'object' || piece === null) return undefined;
    const { text, value: own, data } = piece as { text?: unknown; value?: unknown; data?: unknown }; // likewise
    const leaf = [text, own, data].find((one) => typeof one === 'string');
    return leaf ?? (RUN_ON.test(typeOf(piece)) ? textRun(piece) : undefined);
  });
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

/** Returns the type of a block or mark by the object's own property. */
function typeOf(value: object): string {
  const { type, nodeType, _type, tag, name } = value as Record<string, unknown>; // unknown members of an object
  const typeName = [type, nodeType, _type, tag, name].find((one) => typeof one === 'string');
  return typeof typeName === 'string' ? typeName.toLowerCase() : '';
}

function isProse(text: string, key: string): boolean {
  const words = text.split(/\s+/, 200);
  if (/^(?:https?:|data:|\/|[{[<#.])/.test(text) || /[{};]\s*\S[^\s:=({};]*\s*[:=(]/.test(text.slice(0, 400)))
    return false;
  if (words.some((word) => word.length > 80 && !/\P{ASCII}/u.test(word))) return false;
  const isLong = words.length >= 12 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{40}/u.test(text);
  return isLong || (TEXT_KEYS.test(key) && words.length >= 4);
}
