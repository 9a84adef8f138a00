import { ToolError } from '@rootbound/protocol';

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** The time that a caller means: `now`, or an ISO 8601 time, which is UTC unless it names an offset. */
export function toTime(field: string, text: string): Date {
  if (text === 'now') return new Date();
  const match = iso.exec(text);
  const hasTime = text.length > 10;
  const time = new Date(hasTime && match?.[1] === undefined ? `${text}Z` : text);
  if (match !== null && !Number.isNaN(time.getTime())) return time;
  throw new ToolError(`${field} must be "now" or an ISO 8601 time such as 2026-01-31T12:00:00Z`, {
    code: 'invalid-arguments',
  });
}

/** The permissions that an octal text names, such as 644; nothing that lends rights fits in it. */
export function toMode(text: string): number {
  if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8);
  throw new ToolError(
    'mode must be three octal digits such as "644"; set-user-id, set-group-id and sticky cannot be set',
    { code: 'invalid-arguments' },
  );
}
