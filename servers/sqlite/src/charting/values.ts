import { isDay } from '../calendar.ts';

/** Returns the number that a row's value holds; undefined for NULL, text, blobs and infinities. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || !('$int' in value)) return undefined;
  // beyond 2^53 the nearest number is drawn
  return Number(value.$int);
}

// the formats of SQLite's date functions and of RFC 3339. Source: https://sqlite.org/lang_datefunc.html#time_values
const MOMENT = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?)?$/;

/** Returns the milliseconds since 1970 of an ISO date or time; one without a zone is UTC, as in SQLite. */
export function momentOf(value: unknown): number | undefined {
  const [whole, year, month, day = '01', time = '00:00', zone = 'Z'] =
    typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (whole === undefined) return undefined;
  const moment = Date.parse(`${year}-${month}-${day}T${time}${zone}`);
  return Number.isNaN(moment) || !isDay(`${year}-${month}-${day}`) ? undefined : moment;
}

/** Returns the axis label of a value. */
export function categoryOf(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return labelOf(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object') return '';
  if ('$int' in value) return labelOf(String(value.$int));
  if ('$real' in value) return labelOf(String(value.$real));
  if ('$text' in value) return labelOf(String(value.$text));
  return 'bytes' in value ? `blob of ${String(value.bytes)} bytes` : 'blob';
}

/** Most characters of a label, so that the chart keeps enough room. */
const MOST = 60;
// XML 1.0 forbids these characters, even escaped
const UNPRINTABLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]+/gu;

/** Returns text as a chart label: one line, shortened, without characters that XML forbids. */
export function labelOf(text: string): string {
  const line = text
    .slice(0, MOST * 4)
    .replace(/\s+/gu, ' ')
    .replace(UNPRINTABLE, '\uFFFD')
    .trim();
  const characters = Array.from(line);
  return characters.length <= MOST ? line : `${characters.slice(0, MOST - 1).join('')}…`;
}
