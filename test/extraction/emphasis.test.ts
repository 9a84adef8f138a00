import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { convertHtml } from '../../servers/fetch/src/markdown/convert.ts';
import { tenth } from '../extent.ts';

/** Parts of a paragraph: text, or an element with others in it. */
type Part = string | { readonly name: string; readonly parts: readonly Part[] };

const words = fc.constantFrom(
  ...['a', 'bc', 'd e', ' f', 'g ', '(h)', 'i.', '!', '"j"', '「漢」', '字', 'é', '😀', '*', '~', '_k_', '1'],
);
const elements = fc.constantFrom('b', 'i', 's', 'strong', 'em', 'a', 'code');

const { parts } = fc.letrec<{ part: Part; parts: Part[] }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.record({ name: elements, parts: tie('parts') }),
  ),
  parts: fc.array(tie('part'), { minLength: 1, maxLength: 5 }),
}));

function toHtml(part: Part, within: readonly string[] = []): string {
  if (typeof part === 'string') return part;
  // an element that a browser would split, or code, which has no parts
  const isPlain = within.includes('code') || (part.name === 'a' && within.includes('a'));
  const inner = part.parts.map((one) => toHtml(one, [...within, part.name])).join('');
  if (isPlain) return inner;
  return `<${part.name}${part.name === 'a' ? ' href="/x"' : ''}>${inner}</${part.name}>`;
}

/** A text without spaces, and its letters with a sign for each kind of emphasis before them. */
type Emphasised = { readonly text: string; readonly emphasised: string };

const kinds: Readonly<Record<string, string>> = {
  b: 'b',
  strong: 'b',
  i: 'i',
  em: 'i',
  emphasis: 'i',
  s: 's',
  del: 's',
  delete: 's',
};

/** The used part of parsed Markdown. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

class Listener {
  text = '';
  emphasised = '';

  hear(text: string, within: readonly string[]): void {
    const signs = [...new Set(within.flatMap((name) => kinds[name] ?? []))].sort().join('');
    this.text += text.replace(/\s+/g, '');
    // punctuation looks the same with and without emphasis
    for (const letter of text.match(/[\p{L}\p{N}]/gu) ?? []) this.emphasised += `${signs}${letter} `;
  }

  get result(): Emphasised {
    return { text: this.text, emphasised: this.emphasised };
  }
}

function emphasisOfParts(all: readonly Part[]): Emphasised {
  const listener = new Listener();
  const walk = (part: Part, within: readonly string[]): void => {
    if (typeof part === 'string') listener.hear(part, within);
    else for (const one of part.parts) walk(one, within.includes('code') ? within : [...within, part.name]);
  };
  for (const part of all) walk(part, []);
  return listener.result;
}

function emphasisOfMarkdown(markdown: string): Emphasised {
  const listener = new Listener();
  const open: string[] = [];
  const walk = (node: Node, within: readonly string[]): void => {
    const { type, value = '', children = [] } = node;
    if (type === 'text' || type === 'inlineCode') listener.hear(value, [...within, ...open]);
    if (type === 'html') {
      const [, end, name = ''] = /^<(\/?)(\w+)>$/.exec(value) ?? ['', 'comment'];
      if (end === '') open.push(name);
      else if (end === '/') open.splice(open.lastIndexOf(name), 1);
    }
    for (const child of children) walk(child, [...within, type]);
  };
  walk(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), []);
  return listener.result;
}

test('emphasis of a page is what a Markdown reader finds, with any neighbours', () => {
  fc.assert(
    fc.property(parts, (all) => {
      const html = all.map((part) => toHtml(part)).join('');
      const { text } = convertHtml(`<p>${html}</p>`, { base: 'https://example.com/' });
      expect(emphasisOfMarkdown(text), `${html} became ${text}`).toEqual(emphasisOfParts(all));
    }),
    { numRuns: tenth(1500) },
  );
});
