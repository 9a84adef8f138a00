import type { Heading, Link, Removed } from '../reading/reading.ts';
import { Blocks, type Container, type List } from './blocks.ts';
import { codeSpan, fence, isLineNumbers, languageOf, trimCode } from './code.ts';
import { isBlank, mayHideCharacters } from './escape.ts';
import { isCopy, Sight } from './hidden.ts';
import { Inline, type Mark, markOf } from './inline.ts';
import { removeInvisible } from './invisible.ts';
import { Formula, isPlainTex } from './math.ts';
import { noteLabel, noteTarget } from './notes.ts';
import type { Attributes, Events } from './parse.ts';
import { raise } from './scripts.ts';
import { noStyles, type Styles } from './styles.ts';
import { Table } from './tables.ts';
import { blockTags, navigationTags, unreadTags } from './tags.ts';
import { imageSource, linkTarget, resolveUrl } from './urls.ts';

export interface WriterOptions {
  /** what relative links are resolved against */
  readonly base: string;
  readonly links?: boolean;
  readonly images?: boolean;
  /** what the page's style sheets hide */
  readonly styles?: Styles;
  /** whether scripts of the page put hidden parts in their place as they come */
  readonly streamed?: boolean;
  /** whether what is hidden is left in, for pages that have nothing else */
  readonly keepHidden?: boolean;
  /** UTF-16 code units of Markdown */
  readonly mostLength?: number;
}

export interface Converted {
  readonly text: string;
  readonly headings: Heading[];
  readonly links: Link[];
  readonly removed: Removed;
  /** characters of text in elements that are not shown */
  readonly hiddenText: number;
  /** whether there was more than is allowed */
  readonly isCut: boolean;
}

/** An open element. */
interface Frame {
  readonly name: string;
  end: (() => void) | undefined;
  readonly faint: boolean;
  readonly language: string | undefined;
}

/** Text that is taken out of the line until its element ends. */
interface Grabbed {
  readonly kind: 'sup' | 'sub' | 'note' | 'anchor';
  text: string;
}

/** Code in a line, and the first link in it. */
interface Code {
  text: string;
  link: { readonly url: string; readonly from: number; readonly to: number } | undefined;
}

/** Code in lines of its own. */
interface Listing {
  text: string;
  language: string | undefined;
  /** whether an element that is a line has ended */
  endsLine: boolean;
  /** where the last code element ended */
  codeEnd: number;
}

const MOST_DEPTH = 500;
const MOST_LINKS = 20_000;
const MOST_LENGTH = 16_000_000;
const MOST_LINK_TEXT = 300;
const MOST_TABLES = 3;
/** how deep lists may be whose items are counted before they are written */
const MOST_COUNTED = 3;

const emphasis = new Map<string, string>([
  ['b', '**'],
  ['strong', '**'],
  ['em', '*'],
  ['i', '*'],
  ['cite', '*'],
  ['dfn', '*'],
  ['var', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
]);
const codeTags = new Set(['code', 'tt', 'samp', 'kbd']);
const controls = new Set(['input', 'textarea', 'select', 'option', 'optgroup', 'datalist', 'keygen']);
const linesInCode = new Set(['div', 'li', 'p', 'tr', 'table', 'ol', 'ul']);

/** Markdown from the events of a page, written as they come. */
export class MarkdownWriter implements Events {
  readonly #links: Link[] = [];
  readonly #blocks: Blocks;
  readonly #sight: Sight;
  readonly #frames: Frame[] = [];
  readonly #notes = new Map<string, string>();
  readonly #tables: Table[] = [];
  readonly #lists: List[] = [];
  readonly #writesLinks: boolean;
  readonly #writesImages: boolean;
  readonly #keepsHidden: boolean;
  #base: string;
  #hasBase = false;
  #line = new Inline();
  #raw = '';
  /** open elements beyond the depth that is kept */
  #beyond = 0;
  /** open elements of what is left out */
  #skipped = 0;
  #skipsHidden = false;
  #skipHasText = false;
  #noscript = false;
  #heading: { readonly level: number; text: string } | undefined;
  #link: { text: string } | undefined;
  #code: Code | undefined;
  #pre: Listing | undefined;
  #formula: Formula | undefined;
  #grabbed: Grabbed | undefined;
  #lostImage = false;
  #navigation = 0;
  #counted = 0;
  #hidden = 0;
  #hiddenText = 0;
  #invisible = 0;
  #harmful = 0;
  #isCut = false;

  constructor(options: WriterOptions) {
    this.#base = options.base;
    this.#writesLinks = options.links ?? true;
    this.#writesImages = options.images ?? true;
    this.#keepsHidden = options.keepHidden ?? false;
    this.#sight = new Sight(options.styles ?? noStyles, options.streamed ?? false);
    this.#blocks = new Blocks(options.mostLength ?? MOST_LENGTH);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0) {
      this.#skipped += 1;
      if (this.#noscript && name === 'img' && this.#lostImage) this.#image(attributes);
      else if (name === 'img') this.#skipHasText = true;
      else if (name === 'base') this.#rebase(attributes);
      return;
    }
    if (this.#formula !== undefined) {
      this.#formula.open(name, attributes.encoding);
      this.#push(name);
      return;
    }
    if (this.#leavesOut(name, attributes)) return;
    this.#settle();
    if (this.#frames.length >= MOST_DEPTH) {
      this.#beyond += 1;
      if (blockTags.has(name)) this.#flush();
      return;
    }
    if (this.#pre !== undefined) this.#openInPre(name, attributes);
    else if (this.#code !== undefined) this.#openInCode(name, attributes);
    else {
      const frame = this.#push(name, attributes);
      frame.end = this.#begin(name, attributes, frame);
    }
  }

  text(data: string): void {
    if (this.#skipped > 0) {
      this.#skippedText(data);
      return;
    }
    if (this.#formula !== undefined) this.#formula.text(data);
    else this.#raw += data;
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      if (this.#skipped === 0) this.#endSkip();
      return;
    }
    if (this.#beyond > 0) {
      this.#settle();
      this.#beyond -= 1;
      if (blockTags.has(name)) this.#flush();
      return;
    }
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    if (this.#formula !== undefined && frame.end === undefined) {
      this.#formula.close(name);
      return;
    }
    const faint = this.#frames[this.#frames.length - 1]?.faint === true;
    this.#settle(frame.faint);
    if (frame.faint && !faint && this.#skipHasText) {
      this.#hidden += 1;
      this.#skipHasText = false;
    }
    frame.end?.();
  }

  cease(name: string): void {
    if (this.#skipped > 0 || this.#formula !== undefined) return;
    for (let at = this.#frames.length - 1; at >= 0 && at > this.#frames.length - 64; at--) {
      const frame = this.#frames[at]!;
      if (frame.name !== name || frame.end === undefined) continue;
      this.#settle();
      frame.end();
      frame.end = undefined;
      return;
    }
  }

  end(): Converted {
    while (this.#frames.length > 0 || this.#skipped > 0) this.close('');
    this.#settle();
    this.#flush();
    return {
      text: this.#blocks.take(),
      headings: this.#blocks.headings,
      links: this.#links,
      removed: { hidden: this.#hidden, invisible: this.#invisible, links: this.#harmful },
      hiddenText: this.#hiddenText,
      isCut: this.#isCut || this.#blocks.isCut,
    };
  }

  /** Whether an element and all in it goes, and begins to leave it out. */
  #leavesOut(name: string, attributes: Attributes): boolean {
    const isTemplate = name === 'template' && attributes.shadowrootmode === undefined;
    const isTex = name === 'script' && /^math\/tex/i.test(attributes.type ?? '');
    let hides = false;
    if (isTemplate) hides = true;
    else if (!this.#keepsHidden && (name !== 'script' || !isTex) && !unreadTags.has(name)) {
      hides = this.#sight.shown(name, attributes) === 'no' && !isCopy(name, attributes);
    }
    const isUnread =
      (unreadTags.has(name) && !isTex) ||
      name === 'noscript' ||
      (controls.has(name) && !(name === 'input' && attributes.type === 'checkbox')) ||
      isCopy(name, attributes) ||
      isLineNumbers(name, attributes, this.#pre !== undefined) ||
      (name === 'button' && !this.#readsButton(attributes));
    if (!hides && !isUnread) return false;
    this.#settle();
    if (!hides && (name === 'embed' || name === 'object')) this.#embed(name, attributes);
    this.#skipped = 1;
    this.#skipsHidden = hides;
    this.#skipHasText = false;
    this.#noscript = name === 'noscript' && !hides;
    return true;
  }

  /** A button that opens what follows it, or that is a heading, says something. */
  #readsButton(attributes: Attributes): boolean {
    return (
      this.#heading !== undefined ||
      attributes['aria-expanded'] !== undefined ||
      attributes['aria-controls'] !== undefined ||
      this.#frames[this.#frames.length - 1]?.name === 'dt'
    );
  }

  #skippedText(data: string): void {
    if (!this.#skipsHidden || isBlank(data)) return;
    this.#skipHasText = true;
    this.#hiddenText += data.length;
  }

  #endSkip(): void {
    if (this.#skipsHidden && this.#skipHasText) this.#hidden += 1;
    this.#skipHasText = false;
    this.#skipsHidden = false;
    this.#noscript = false;
  }

  #push(name: string, attributes?: Attributes): Frame {
    const parent = this.#frames[this.#frames.length - 1];
    let faint = parent?.faint === true;
    if (attributes?.style !== undefined && !this.#keepsHidden) {
      const shown = this.#sight.shown(name, attributes);
      if (shown === 'faint') faint = true;
      else if (shown === 'clear') faint = false;
    }
    const language = (attributes === undefined ? undefined : languageOf(attributes)) ?? parent?.language;
    const frame: Frame = { name, end: undefined, faint, language };
    this.#frames.push(frame);
    return frame;
  }

  /** Writes the text that has come since the last tag. */
  #settle(faint = this.#frames[this.#frames.length - 1]?.faint === true): void {
    if (this.#raw === '') return;
    let text = this.#raw;
    this.#raw = '';
    if (faint && !isBlank(text)) {
      this.#skipHasText = true;
      this.#hiddenText += text.length;
      return;
    }
    if (mayHideCharacters(text)) {
      const visible = removeInvisible(text);
      this.#invisible += visible.removed;
      text = visible.text;
      if (text === '') return;
    }
    if (this.#pre !== undefined) addCode(this.#pre, text);
    else if (this.#code !== undefined) this.#code.text += text;
    else if (this.#grabbed !== undefined) this.#grabbed.text += text;
    else this.#write(text);
  }

  #write(text: string): void {
    if (this.#heading !== undefined) this.#heading.text += text;
    if (this.#link !== undefined && this.#link.text.length < MOST_LINK_TEXT) this.#link.text += text;
    if (this.#line.isEmpty && isBlank(text)) {
      this.#line.space();
      return;
    }
    if (this.#line.breaks > 1 && !isBlank(text)) this.#flush();
    this.#lostImage = false;
    this.#line.write(text);
  }

  #atom(markdown: string, plain: string, isImage = false): void {
    this.#ungrab();
    if (this.#heading !== undefined) this.#heading.text += plain;
    if (this.#link !== undefined) this.#link.text += plain;
    if (this.#line.breaks > 1) this.#flush();
    this.#line.atom(markdown, isImage);
  }

  /** Ends the paragraph. */
  #flush(): void {
    if (this.#heading !== undefined) {
      this.#line.space();
      return;
    }
    if (this.#line.isEmpty) return;
    const body = this.#line.take();
    if (body !== '') this.#blocks.put({ kind: 'text', body });
  }

  #begin(name: string, attributes: Attributes, frame: Frame): (() => void) | undefined {
    const marker = emphasis.get(name);
    if (marker !== undefined) return this.#emphasise(marker);
    if (codeTags.has(name)) return this.#beginCode();
    if (/^h[1-6]$/.test(name)) return this.#beginHeading(Number(name[1]));
    if (attributes.role === 'heading') return this.#beginHeading(Number(attributes['aria-level'] ?? 2) || 2);
    if (navigationTags.has(name)) this.#navigation += 1;
    const end = this.#beginNamed(name, attributes, frame);
    if (!blockTags.has(name)) {
      if (name.includes('-')) this.#line.space();
      return end ?? (name.includes('-') ? () => this.#line.space() : () => {});
    }
    return () => {
      if (end !== undefined) end();
      else this.#flush();
      if (navigationTags.has(name)) this.#navigation -= 1;
    };
  }

  #beginNamed(name: string, attributes: Attributes, frame: Frame): (() => void) | undefined {
    switch (name) {
      case 'a':
        return this.#beginLink(attributes);
      case 'audio':
      case 'video':
      case 'iframe':
        return this.#embed(name, attributes);
      case 'base':
        this.#rebase(attributes);
        return undefined;
      case 'blockquote':
        return this.#contain({ kind: 'quote', first: '> ', rest: '> ', used: false });
      case 'br':
        if (this.#heading !== undefined) this.#line.space();
        else this.#line.lineBreak();
        if (this.#link !== undefined) this.#link.text += ' ';
        return undefined;
      case 'caption':
        return this.#beginCaption();
      case 'dd':
        return this.#contain({ kind: 'definition', first: ': ', rest: '', used: false });
      case 'dir':
      case 'menu':
      case 'ol':
      case 'ul':
        return this.#beginList(name, attributes);
      case 'hr':
        this.#flush();
        if (this.#heading === undefined) this.#blocks.put({ kind: 'rule', body: '---' });
        return undefined;
      case 'img':
        this.#image(attributes);
        return undefined;
      case 'input':
        this.#checkbox(attributes);
        return undefined;
      case 'li':
        return this.#beginItem(attributes);
      case 'math':
        return this.#beginMath(attributes);
      case 'listing':
      case 'plaintext':
      case 'pre':
      case 'xmp':
        return this.#beginPre(frame);
      case 'q':
        this.#write('“');
        return () => this.#write('”');
      case 'rt':
        if (this.#frames[this.#frames.length - 2]?.name === 'ruby') this.#write('(');
        return () => this.#write(')');
      case 'script':
        return this.#beginTex(attributes);
      case 'sub':
      case 'sup':
        return this.#beginScript(name);
      case 'summary':
      case 'dt':
        this.#flush();
        return this.#emphasise('**', true);
      case 'table':
        return this.#beginTable(attributes);
      case 'td':
      case 'th':
        return this.#beginCell(name, attributes);
      case 'thead':
      case 'tr':
        this.#flush();
        if (name === 'tr') this.#tables[this.#tables.length - 1]?.startRow(this.#isInHead());
        return () => this.#flush();
      default:
        if (blockTags.has(name)) this.#flush();
        return undefined;
    }
  }

  #rebase({ href }: Attributes): void {
    if (href === undefined || this.#hasBase || !URL.canParse(href, this.#base)) return;
    this.#base = new URL(href, this.#base).href;
    this.#hasBase = true;
  }

  #emphasise(marker: string, isBlock = false): () => void {
    this.#ungrab();
    // headings are bold as they are
    if (this.#heading !== undefined && marker === '**') return () => {};
    const mark = markOf(marker);
    this.#line.begin(mark);
    return () => {
      this.#ungrab();
      this.#line.end(mark);
      if (isBlock) this.#flush();
    };
  }

  #contain(container: Container): () => void {
    this.#flush();
    if (this.#heading !== undefined || this.#blocks.isFull) return () => this.#flush();
    this.#blocks.enter(container);
    return () => {
      this.#flush();
      this.#blocks.leave(container);
    };
  }

  #beginHeading(level: number): () => void {
    this.#flush();
    if (this.#heading !== undefined) return () => this.#flush();
    const heading = { level: Math.min(6, Math.max(1, Math.trunc(level))), text: '' };
    this.#heading = heading;
    return () => {
      this.#ungrab();
      this.#heading = undefined;
      const body = this.#line.take().replaceAll('\n', ' ');
      const plain = heading.text.replace(/\s+/g, ' ').trim();
      if (body !== '') this.#blocks.put({ kind: 'heading', body, level: heading.level, plain, inCell: body });
    };
  }

  #beginLink(attributes: Attributes): () => void {
    const { href } = attributes;
    if (href === undefined) return () => {};
    const note = noteTarget(
      attributes,
      this.#frames.some((frame, at) => at > this.#frames.length - 6 && frame.name === 'sup'),
    );
    if (note === 'back') return this.#skipRest();
    if (note !== undefined) return this.#beginNote(note, attributes);
    const url = resolveUrl(href, this.#base);
    if (url === undefined) {
      this.#harmful += 1;
      return () => {};
    }
    return this.#writeLink(url, href, attributes);
  }

  #writeLink(url: string, href: string, attributes: Attributes): () => void {
    this.#ungrab();
    const outer = this.#link;
    const link = { text: '' };
    this.#link = link;
    // what leads to the same page needs no more than its fragment
    const target = href.trim().startsWith('#') && !this.#hasBase ? href.trim() : url;
    const mark: Mark | undefined = this.#writesLinks ? markOf('[', `](${linkTarget(target)})`) : undefined;
    const isAnchor = this.#heading !== undefined && href.trim().startsWith('#');
    if (mark !== undefined && !isAnchor && outer === undefined) this.#line.begin(mark);
    const grabbed: Grabbed = { kind: 'anchor', text: '' };
    if (isAnchor) this.#grabbed = grabbed;
    return () => {
      if (this.#grabbed === grabbed && /^[#¶§🔗\s]*$/u.test(grabbed.text)) {
        this.#grabbed = undefined;
        this.#link = outer;
        return;
      }
      this.#ungrab();
      let text = link.text.replace(/\s+/g, ' ').trim();
      this.#link = outer;
      const label = attributes['aria-label'] ?? attributes.title ?? '';
      if (text === '' && label !== '' && mark !== undefined && mark.from < 0 && !mark.spent) {
        text = label.slice(0, MOST_LINK_TEXT);
        this.#line.write(text);
      }
      if (mark !== undefined) this.#line.end(mark);
      if (outer !== undefined) outer.text += text;
      this.#record(url, text, attributes.rel);
    };
  }

  #record(url: string, text: string, rel: string | undefined): void {
    if (this.#links.length >= MOST_LINKS) {
      this.#isCut = true;
      return;
    }
    const place = this.#navigation > 0 ? 'navigation' : 'content';
    this.#links.push({ url, text, place, ...(rel === undefined ? {} : { rel }) });
  }

  /** Leaves out what is in the element that begins. */
  #skipRest(): () => void {
    const grabbed: Grabbed = { kind: 'note', text: '' };
    this.#ungrab();
    this.#grabbed = grabbed;
    return () => {
      if (this.#grabbed === grabbed) this.#grabbed = undefined;
    };
  }

  #beginNote(id: string, attributes: Attributes): () => void {
    this.#ungrab();
    const grabbed: Grabbed = { kind: 'note', text: '' };
    this.#grabbed = grabbed;
    return () => {
      if (this.#grabbed !== grabbed) return;
      this.#grabbed = undefined;
      const label = noteLabel(grabbed.text);
      if (label === undefined) {
        const end = this.#writeLink(
          resolveUrl(attributes.href!, this.#base) ?? '',
          attributes.href!,
          attributes,
        );
        this.#write(grabbed.text);
        end();
        return;
      }
      this.#notes.set(id, label);
      this.#atom(`[^${label}]`, '');
    };
  }

  #beginScript(name: 'sub' | 'sup'): () => void {
    this.#ungrab();
    const grabbed: Grabbed = { kind: name, text: '' };
    this.#grabbed = grabbed;
    return () => {
      if (this.#grabbed !== grabbed) return;
      this.#grabbed = undefined;
      const text = grabbed.text.trim();
      const raised = raise(text, name);
      if (typeof raised === 'string') this.#write(raised);
      else {
        this.#atom(`<${name}>`, '');
        this.#write(text);
        this.#atom(`</${name}>`, '');
      }
    };
  }

  /** Text that was set aside goes into the line, where something else than text comes. */
  #ungrab(): void {
    const grabbed = this.#grabbed;
    if (grabbed === undefined || grabbed.kind === 'note') return;
    this.#grabbed = undefined;
    if (grabbed.text !== '') this.#write(grabbed.text);
  }

  #image(attributes: Attributes): void {
    if (this.#frames[this.#frames.length - 1]?.faint === true) return;
    const source = imageSource(attributes);
    const { alt = '', width = '', height = '' } = attributes;
    const text = alt.replace(/\s+/g, ' ').trim().slice(0, 1_000);
    if (source === undefined) {
      this.#lostImage = true;
      return;
    }
    this.#lostImage = false;
    if (/^[0-2](?:px)?$/.test(width) || /^[0-2](?:px)?$/.test(height)) return;
    const url = resolveUrl(source, this.#base);
    if (!this.#writesImages || url === undefined) {
      if (this.#link !== undefined && text !== '') this.#write(text);
      return;
    }
    if (
      attributes.alt === '' &&
      this.#link === undefined &&
      !this.#frames.some(({ name }) => name === 'figure')
    )
      return;
    const shown = removeInvisible(text);
    this.#invisible += shown.removed;
    this.#atom(
      `![${shown.text.replace(/[\\[\]`*_<&]/g, '\\$&')}](${linkTarget(url)})`,
      this.#link === undefined ? '' : shown.text,
      true,
    );
  }

  #embed(name: string, attributes: Attributes): (() => void) | undefined {
    const source = attributes.src ?? attributes['data-src'] ?? attributes.data;
    const label = attributes.title ?? attributes['aria-label'] ?? '';
    const url = source === undefined ? undefined : resolveUrl(source, this.#base);
    const isUnseen =
      /^[0-2](?:px)?$/.test(attributes.width ?? '') || /^[0-2](?:px)?$/.test(attributes.height ?? '');
    if (url !== undefined && /^https?:/.test(url) && !isUnseen && !/googletagmanager\.com/.test(url)) {
      this.#flush();
      const end = this.#writeLink(url, '', {});
      this.#write(label === '' ? `${name}: ${new URL(url).hostname}` : label.slice(0, MOST_LINK_TEXT));
      end();
      this.#flush();
    }
    if (name === 'embed' || name === 'object') return undefined;
    return this.#skipRest();
  }

  #checkbox({ checked }: Attributes): void {
    const item = this.#blocks.inner;
    if (item?.kind !== 'item' || item.used || !this.#line.isEmpty || /\[.\] $/.test(item.first)) return;
    item.first += checked === undefined ? '[ ] ' : '[x] ';
  }

  #beginCode(): () => void {
    this.#ungrab();
    const code: Code = { text: '', link: undefined };
    this.#code = code;
    return () => {
      const { text, link } = code;
      this.#code = undefined;
      const trimmed = text.replace(/\s+/g, ' ').trim();
      if (trimmed === '') {
        if (text !== '') this.#line.space();
        return;
      }
      if (/^\s/.test(text)) this.#line.space();
      const span = codeSpan(trimmed);
      const isLinked =
        link !== undefined &&
        this.#link === undefined &&
        this.#writesLinks &&
        isBlank(text.slice(0, link.from));
      if (isLinked && isBlank(text.slice(link.to))) this.#atom(`[${span}](${linkTarget(link.url)})`, trimmed);
      else this.#atom(span, trimmed);
      if (/\s$/.test(text)) this.#line.space();
    };
  }

  #openInCode(name: string, attributes: Attributes): void {
    const frame = this.#push(name, attributes);
    const code = this.#code!;
    if (name === 'br' || blockTags.has(name)) code.text += ' ';
    const url =
      name === 'a' && attributes.href !== undefined ? resolveUrl(attributes.href, this.#base) : undefined;
    const from = code.text.length;
    frame.end = () => {
      if (url === undefined) return;
      code.link ??= { url, from, to: code.text.length };
      this.#record(url, code.text.slice(from).trim().slice(0, MOST_LINK_TEXT), attributes.rel);
    };
  }

  #beginPre(frame: Frame): () => void {
    this.#flush();
    this.#pre = { text: '', language: frame.language, endsLine: false, codeEnd: 0 };
    return () => {
      const { text, language } = this.#pre!;
      this.#pre = undefined;
      const code = trimCode(text);
      if (code === '') return;
      if (this.#heading !== undefined) {
        this.#write(code);
        return;
      }
      const inCell = code.split('\n', 400).map((line) => (line.trim() === '' ? '' : codeSpan(line.trim())));
      this.#blocks.put({ kind: 'code', body: fence(code, language ?? ''), inCell: inCell.join('\n') });
    };
  }

  #openInPre(name: string, attributes: Attributes): void {
    const frame = this.#push(name, attributes);
    const pre = this.#pre!;
    pre.language ??= frame.language;
    const isLine = linesInCode.has(name);
    if (name === 'br') pre.text += '\n';
    else if (isLine || (name === 'code' && pre.codeEnd > 0 && pre.codeEnd === pre.text.length))
      startLine(pre);
    frame.end = () => {
      if (isLine) pre.endsLine = true;
      else if (name === 'code') pre.codeEnd = pre.text.length;
    };
  }

  #beginMath(attributes: Attributes): () => void {
    this.#ungrab();
    const display = attributes.display === 'block' || this.#frames.some(({ name }) => name === 'mjx-display');
    const formula = new Formula(display, attributes.alttext);
    this.#formula = formula;
    return () => {
      this.#formula = undefined;
      this.#putTex(formula.take(), formula.isDisplay);
    };
  }

  #beginTex({ type = '' }: Attributes): () => void {
    const formula = new Formula(/mode\s*=\s*display/i.test(type), undefined);
    formula.open('annotation', 'tex');
    this.#formula = formula;
    return () => {
      this.#formula = undefined;
      this.#putTex(formula.take(), formula.isDisplay);
    };
  }

  #putTex(tex: string, isDisplay: boolean): void {
    if (tex === '') return;
    if (!isPlainTex(tex)) this.#atom(codeSpan(tex), tex);
    else if (isDisplay && this.#heading === undefined && this.#link === undefined) {
      this.#flush();
      this.#blocks.put({ kind: 'math', body: `$$${tex}$$` });
    } else this.#atom(`$${tex}$`, tex);
  }

  #beginList(name: string, attributes: Attributes): () => void {
    this.#flush();
    const isOrdered = name === 'ol';
    const start = Number.parseInt(attributes.start ?? '', 10);
    const step = attributes.reversed === undefined ? 1 : -1;
    const isCounted = isOrdered && step < 0 && Number.isNaN(start) && this.#counted < MOST_COUNTED;
    const begun = this.#blocks.startList(isOrdered, Number.isNaN(start) ? 1 : start, step);
    const list: List = isCounted ? { ...begun, items: [] } : begun;
    this.#lists.push(list);
    if (isCounted) this.#counted += 1;
    return () => {
      this.#flush();
      this.#lists.pop();
      if (isCounted) this.#counted -= 1;
      list.items?.forEach((held, at, { length }) => {
        const end = this.#contain(itemOf(list, length - at));
        this.#blocks.release(held);
        end();
      });
      this.#blocks.endList(list);
    };
  }

  #beginItem(attributes: Attributes): () => void {
    this.#flush();
    const label = attributes.id === undefined ? undefined : this.#notes.get(attributes.id);
    if (label !== undefined)
      return this.#contain({ kind: 'note', first: `[^${label}]: `, rest: '    ', used: false });
    const list = this.#lists[this.#lists.length - 1] ?? this.#blocks.startList(false, 1, 1);
    const value = Number.parseInt(attributes.value ?? '', 10);
    if (list.isOrdered && !Number.isNaN(value)) list.number = value;
    const { items, number } = list;
    list.number += list.step;
    if (items === undefined || this.#heading !== undefined) return this.#contain(itemOf(list, number));
    const hold = this.#blocks.hold();
    return () => {
      this.#flush();
      const held = this.#blocks.held;
      hold.restore();
      if (held.length > 0) items.push(held);
    };
  }

  #isInHead(): boolean {
    return this.#frames.some(({ name }, at) => name === 'thead' && at > this.#frames.length - 4);
  }

  #beginTable(attributes: Attributes): () => void {
    this.#flush();
    const isLayout = attributes.role === 'presentation' || attributes.role === 'none';
    if (
      isLayout ||
      this.#heading !== undefined ||
      this.#tables.filter((one) => one.isOpen).length >= MOST_TABLES
    ) {
      const none = Table.layout();
      this.#tables.push(none);
      return () => {
        this.#flush();
        this.#tables.pop();
      };
    }
    const table = new Table();
    this.#tables.push(table);
    return () => {
      this.#flush();
      this.#tables.pop();
      table.put(this.#blocks);
    };
  }

  #beginCaption(): () => void {
    this.#flush();
    return () => this.#flush();
  }

  #beginCell(name: string, attributes: Attributes): () => void {
    this.#flush();
    const table = this.#tables[this.#tables.length - 1];
    if (table === undefined || table.isLayout) return () => this.#flush();
    const hold = this.#blocks.hold();
    return () => {
      this.#flush();
      const held = this.#blocks.held;
      hold.restore();
      table.add(held, name === 'th', attributes);
    };
  }
}

function addCode(listing: Listing, text: string): void {
  if (listing.endsLine) startLine(listing);
  listing.text += text;
}

function startLine(listing: Listing): void {
  listing.endsLine = false;
  if (listing.text !== '' && !listing.text.endsWith('\n')) listing.text += '\n';
  listing.codeEnd = 0;
}

function itemOf(list: List, number: number): Container {
  const { isOrdered, sign } = list;
  const first = isOrdered && number >= 0 && number < 1e9 ? `${number}${sign} ` : `${isOrdered ? '-' : sign} `;
  return { kind: 'item', first, rest: ' '.repeat(first.length), used: false, list };
}
