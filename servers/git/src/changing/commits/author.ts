import { ToolError } from '@rootbound/protocol';

/** Checks an author; git would search the history for any text of another form. */
export function authorOf(text: string): string {
  if (/^[^<>\p{Cc}]*[^<>\s\p{Cc}] <[^<>\s\p{Cc}]+>$/u.test(text)) return text;
  throw new ToolError('author is not of the form "Name <email>"', { code: 'invalid-arguments' });
}

const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?: ?(?:Z|[+-]\d\d:?\d\d))?$/;
const seconds = /^@?\d{1,12} [+-]\d{4}$/;

/** Checks a date; git would read any other text as the present time. */
export function dateOf(text: string): string {
  if (iso.test(text)) return text;
  if (seconds.test(text)) return text.startsWith('@') ? text : `@${text}`;
  throw new ToolError('date is none', {
    code: 'invalid-arguments',
    hint: 'such as 2026-01-31T12:00:00+01:00',
  });
}
