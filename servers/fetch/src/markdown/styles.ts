import { hidesIn } from './declarations.ts';

/** Class names and ids that style sheets hide. */
export interface Styles {
  readonly classes: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

export const noStyles: Styles = { classes: new Set(), ids: new Set() };

const MOST_NAMES = 20_000;

/** What the style elements of a page hide by one class or one id, where no other rule of theirs shows it. */
export function readStyles(html: string): Styles {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  const opening = /<style(?=[\s>/])[^>]{0,1000}>/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const from = opening.lastIndex;
    const end = html.slice(from).search(/<\/style/i);
    const to = end < 0 ? html.length : from + end;
    if (!/\bmedia\s*=\s*["']?\s*print/i.test(found[0])) readRules(html.slice(from, to), hidden, shown);
    opening.lastIndex = to;
    if (hidden.size > MOST_NAMES) break;
  }
  if (hidden.size === 0) return noStyles;
  const names = [...hidden].filter((name) => !shown.has(name));
  return { classes: named(names, '.'), ids: named(names, '#') };
}

function named(names: readonly string[], sign: string): ReadonlySet<string> {
  return new Set(names.filter((name) => name.startsWith(sign)).map((name) => name.slice(1)));
}

/** The rules at the top of a style sheet; those under conditions may or may not hold. */
function readRules(css: string, hidden: Set<string>, shown: Set<string>, depth = 0): void {
  if (depth > 4) return;
  const text = withoutComments(css);
  let at = 0;
  while (at < text.length) {
    const brace = text.indexOf('{', at);
    if (brace < 0) return;
    const selector = text.slice(at, brace).trim();
    const end = blockEnd(text, brace);
    const body = text.slice(brace + 1, end);
    at = end + 1;
    const place = selector.lastIndexOf(';');
    const rule = place < 0 ? selector : selector.slice(place + 1).trim();
    if (!rule.startsWith('@')) readRule(rule, body, hidden, shown);
    else if (/^@media\s+(?:all|screen)\s*$/i.test(rule)) readRules(body, hidden, shown, depth + 1);
    else if (/^@(?:media|supports|layer|container)/i.test(rule)) readRules(body, new Set(), shown, depth + 1);
  }
}

function readRule(selectors: string, body: string, hidden: Set<string>, shown: Set<string>): void {
  const hides = /none|hidden|opacity|clip|-\d{3}/i.test(body) && hidesIn(body) === 'no';
  const shows = !hides && /(?:^|[;\s])(?:display|visibility|opacity|position|clip|clip-path)\s*:/i.test(body);
  if (!hides && !shows) return;
  for (const part of selectors.split(',')) {
    const selector = part.trim();
    if (hides && /^[.#][\w-]+$/.test(selector)) hidden.add(selector);
    else if (shows) for (const name of selector.slice(-400).match(/[.#][\w-]+/g) ?? []) shown.add(name);
  }
}

function withoutComments(css: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const from = css.indexOf('/*', at);
    if (from < 0) return out + css.slice(at);
    out += css.slice(at, from);
    const to = css.indexOf('*/', from + 2);
    if (to < 0) return out;
    at = to + 2;
  }
}

function blockEnd(css: string, brace: number): number {
  let depth = 0;
  for (let at = brace; at < css.length; at++) {
    const unit = css.charCodeAt(at);
    if (unit === 0x7b) depth += 1;
    else if (unit === 0x7d && --depth === 0) return at;
  }
  return css.length;
}
