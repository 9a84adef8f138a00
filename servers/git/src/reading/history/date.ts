import { ToolError } from '@rootbound/protocol';

/** Words of which a date without digits has at least one, as git reads dates. */
const words =
  /\b(?:now|today|yesterday|noon|midnight|tea|never|last|one|two|three|four|five|six|seven|eight|nine|ten|(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b/i;
const day = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns a date as git takes it; throws for text that git would take for the present time. A day begins and ends at
 * midnight.
 */
export function dateFor(name: string, text: string | undefined, end: 'first' | 'last'): string | undefined {
  if (text === undefined) return undefined;
  const date = text.trim();
  if (day.test(date)) return `${date}T${end === 'first' ? '00:00:00' : '23:59:59'}`;
  if (/\d/.test(date) || words.test(date)) return date;
  throw new ToolError(`${name} is no date`, {
    code: 'invalid-arguments',
    hint: 'such as 2026-01-31, 2026-01-31T12:00:00Z, yesterday or "2 weeks ago"',
  });
}
