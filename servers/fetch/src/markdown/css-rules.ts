/** A rule of a style sheet. */
export interface Rule {
  readonly selectors: string;
  readonly body: string;
  /** whether it applies to every screen and browser */
  readonly isSure: boolean;
}

const DEEPEST = 4;

/** Calls back for each rule of a style sheet, including those in conditional groups. */
export function readRules(css: string, tell: (rule: Rule) => void, isSure = true, depth = 0): void {
  if (depth > DEEPEST) return;
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
    if (!rule.startsWith('@')) tell({ selectors: rule, body, isSure });
    else if (/^@media\s+(?:all|screen)\s*$/i.test(rule)) readRules(body, tell, isSure, depth + 1);
    else if (/^@(?:media|supports|layer|container)/i.test(rule)) readRules(body, tell, false, depth + 1);
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
