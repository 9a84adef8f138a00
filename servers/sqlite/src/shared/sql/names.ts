import type { Token } from './lexer.ts';

/** A name as SQL writes it, whatever is in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL writes it; one with a NUL has to be bound instead. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name that a token writes, without its quotes; undefined when it cannot be one. */
export function nameOf(sql: string, token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  const { kind, start, end } = token;
  if (kind === 'word') return sql.slice(start, end);
  if (kind !== 'name' && kind !== 'string') return undefined;
  const quote = sql[start]!;
  const inner = sql.slice(start + 1, end - 1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

/** Whether two names are one to SQLite: it folds the letters of ASCII only. */
export function sameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** A name as SQLite compares it. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
