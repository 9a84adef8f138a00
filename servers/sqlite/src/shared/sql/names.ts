import type { Token } from './lexer.ts';

/** Quotes an identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text; one with a NUL has to be bound instead. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the identifier of a token without quotes; undefined if it cannot be one. */
export function nameOf(sql: string, token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  const { kind, start, end } = token;
  if (kind === 'word') return sql.slice(start, end);
  if (kind !== 'name' && kind !== 'string') return undefined;
  const quote = sql[start]!;
  const inner = sql.slice(start + 1, end - 1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

/** Returns whether two names are equal in SQLite, which folds ASCII letters only. */
export function sameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** Returns a name as SQLite compares it. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
