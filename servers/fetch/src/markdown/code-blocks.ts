import type { Attributes } from './html-parser.ts';

const named = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight)-([\w+#.-]{1,30})(?:\s|$)/i;
const brush = /(?:^|\s)brush:\s*([\w+#.-]{1,30})/i;
const beside =
  /(?:^|\s)(?:sourceCode|hljs|prettyprint|codehilite|highlight|prism|shiki)\s+([a-z][\w+#.-]{0,30})(?:\s|$)/i;
const noLanguage =
  /^(?:auto|code|default|highlighter?|html-derivative|linenums|nohighlight|none|notranslate|numberLines|plain|plaintext|text|txt|undefined|rouge|wrap|wrapper)$/i;
const otherNames = new Map([
  ['shell-session', 'console'],
  ['python3', 'python'],
  ['text-html-basic', 'html'],
]);

/** Returns the language of a code element by its attributes. */
export function languageOf(attributes: Attributes): string | undefined {
  const label =
    attributes['data-lang'] ??
    attributes['data-language'] ??
    attributes['data-code-language'] ??
    languageIn(attributes.class?.slice(0, 400));
  if (label === undefined || !/^[\w+#.-]{1,30}$/.test(label) || noLanguage.test(label)) return undefined;
  return otherNames.get(label) ?? label;
}

function languageIn(classes: string | undefined): string | undefined {
  if (classes === undefined) return undefined;
  return (named.exec(classes) ?? brush.exec(classes) ?? beside.exec(classes))?.[1];
}

/** Returns whether an element holds the line numbers of a listing. */
export function isLineNumbers(name: string, attributes: Attributes, inCode: boolean): boolean {
  const { class: classes } = attributes;
  if (classes === undefined) return false;
  if (name === 'td' || name === 'th' || name === 'div' || name === 'pre')
    return /(?:^|\s)(?:linenos?|linenodiv|gutter|rouge-gutter|hljs-ln-numbers|blob-num|line-numbers-rows)(?:\s|$)/.test(
      classes,
    );
  return (
    inCode &&
    /(?:^|\s)(?:linenos?|line-?numbers?(?:-rows)?|ln|gutter|react-syntax-highlighter-line-number|linenumber)(?:\s|$)/i.test(
      classes,
    )
  );
}

/** Returns a fenced code block, with a fence longer than any in the code. */
export function fence(code: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${marks}${language}\n${code}\n${marks}`;
}

/** Returns a code span with as many backticks as it needs. */
export function codeSpan(code: string): string {
  const marks = '`'.repeat(spanRun(code));
  const padded = code.startsWith('`') || code.endsWith('`') ? ` ${code} ` : code;
  return `${marks}${padded}${marks}`;
}

function longestRun(code: string): number {
  let [most, run] = [0, 0];
  for (let at = code.indexOf('`'); at >= 0 && at < code.length; at++) {
    run = code.charCodeAt(at) === 0x60 ? run + 1 : 0;
    if (run > most) most = run;
  }
  return most;
}

function spanRun(code: string): number {
  return code.includes('`') ? longestRun(code) + 1 : 1;
}

/** Returns code without leading and trailing blank lines. */
export function trimCode(code: string): string {
  const even = code.replace(/\r\n?/g, '\n').replace(/[\u00a0\u2028\u2029]/g, ' ');
  let from = 0;
  for (let at = 0; at < even.length && /\s/.test(even[at]!); at++) if (even[at] === '\n') from = at + 1;
  return even.slice(from).trimEnd();
}
