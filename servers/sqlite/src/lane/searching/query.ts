import { LaneError } from '../../shared/error.ts';
import type { SearchTable } from './tables.ts';

/** The words of a text as a query for all of them, whatever signs are in it. */
export function plainQuery(text: string, module: SearchTable['module']): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new LaneError('query has no words', { code: 'search-syntax' });
  // the older modules know no quote within quotes, and take signs for the ends of words anyway
  const inner = (word: string): string =>
    module === 'fts5' ? word.replaceAll('"', '""') : word.replaceAll('"', ' ');
  return words.map((word) => `"${inner(word)}"`).join(' ');
}

/** The failure of a search as a caller understands it; other failures are as they were. */
export function explainSearchError(error: unknown, { name, columns, module }: SearchTable): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'SQLITE_ERROR') return error;
  const { message } = error;
  const column = /^no such column: (.*)$/s.exec(message)?.[1];
  if (column !== undefined)
    return new LaneError(`${column} is no column of ${name}`, {
      code: 'search-syntax',
      hint: `what stands before a colon or a minus is a column (${columns.join(', ')}); put words with signs in double quotes, or set plain`,
      cause: error,
    });
  return new LaneError(`the query cannot be read: ${message}`, {
    code: 'search-syntax',
    hint:
      module === 'fts5'
        ? 'AND, OR, NOT, NEAR, *, ^, :, +, - and parentheses have meanings; put words with signs in double quotes, or set plain'
        : 'OR, NEAR, *, : and double quotes have meanings; set plain to search for the words alone',
    cause: error,
  });
}
