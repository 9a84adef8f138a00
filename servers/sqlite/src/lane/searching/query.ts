import { codeOf, LaneError, messageOf } from '../../shared/error.ts';
import type { SearchTable } from './tables.ts';

/** Returns a query for all words of a text, without FTS syntax. */
export function plainQuery(text: string, module: SearchTable['module']): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new LaneError('query has no words', { code: 'search-syntax' });
  // FTS3 and FTS4 have no escape for quotes; they treat signs as separators anyway
  const inner = (word: string): string =>
    module === 'fts5' ? word.replaceAll('"', '""') : word.replaceAll('"', ' ');
  return words.map((word) => `"${inner(word)}"`).join(' ');
}

/** Returns the failure of a search in terms of the query; other errors unchanged. */
export function explainSearchError(error: unknown, { name, columns, module }: SearchTable): unknown {
  if (codeOf(error) !== 'SQLITE_ERROR') return error;
  const message = messageOf(error);
  const column = /^no such column: (.*)$/s.exec(message)?.[1];
  if (column !== undefined)
    return new LaneError(`${name} has no column ${column}`, {
      code: 'search-syntax',
      hint: `a word before a colon or minus names a column (${columns.join(', ')}); put words with signs in double quotes, or set plain`,
      cause: error,
    });
  return new LaneError(`the query is not valid FTS syntax: ${message}`, {
    code: 'search-syntax',
    hint:
      module === 'fts5'
        ? 'AND, OR, NOT, NEAR, *, ^, :, +, - and parentheses are operators; put words with signs in double quotes, or set plain'
        : 'OR, NEAR, *, : and double quotes are operators; set plain to search for the words alone',
    cause: error,
  });
}
