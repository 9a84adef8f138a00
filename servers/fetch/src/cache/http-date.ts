const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const MONTH = '([a-z]{3})';
const FIXED = new RegExp(`^[a-z]{3}, (\\d{2}) ${MONTH} (\\d{4}) ${TIME} gmt$`, 'i');
const RFC_850 = new RegExp(`^[a-z]{6,9}, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} gmt$`, 'i');
const ASCTIME = new RegExp(`^[a-z]{3} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`, 'i');

/**
 * Parses an HTTP date in any of its three formats (RFC 9110 section 5.6.7) to ms since 1970; undefined if it is none.
 */
export function parseHttpDate(field: string | undefined, now: number): number | undefined {
  if (field === undefined) return undefined;
  const text = field.trim();
  const fixed = FIXED.exec(text);
  if (fixed) return timeOf(Number(fixed[3]), fixed[2]!, fixed[1]!, fixed.slice(4));
  const old = RFC_850.exec(text);
  if (old) return timeOf(fullYear(Number(old[3]), now), old[2]!, old[1]!, old.slice(4));
  const asctime = ASCTIME.exec(text);
  if (asctime) return timeOf(Number(asctime[6]), asctime[1]!, asctime[2]!, asctime.slice(3));
  return undefined;
}

/** Expands a two-digit year: one that would be more than 50 years ahead belongs to the past century. */
function fullYear(short: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + short;
  return year > thisYear + 50 ? year - 100 : year;
}

function timeOf(
  year: number,
  monthName: string,
  day: string,
  [hour, minute, second]: string[],
): number | undefined {
  const month = MONTHS.indexOf(monthName.toLowerCase());
  const valid =
    month >= 0 && Number(day) >= 1 && Number(day) <= 31 && Number(hour) < 24 && Number(minute) < 60;
  return valid && Number(second) <= 60
    ? Date.UTC(year, month, Number(day), Number(hour), Number(minute), Number(second))
    : undefined;
}
