const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const SIZE = /^(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?|B)?$/i;

/** Returns a size for people, in steps of 1,024: `512 bytes`, `100 KB`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let unit = 0;
  let value = bytes / 1024;
  // compare the printed number, so that 1,048,575 reads 1 MB and not 1024 KB
  while (Math.round(value * 10) >= 10_240 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Math.round(value * 10) / 10} ${UNITS[unit]!}`;
}

/** Parses a size such as `100`, `100K`, `1.5MB` or `32MiB`; undefined when the text is no size. */
export function parseBytes(text: string): number | undefined {
  const match = SIZE.exec(text.trim());
  if (match === null) return undefined;
  const power = match[2] === undefined ? 0 : 'KMGT'.indexOf(match[2].toUpperCase()) + 1;
  const bytes = Math.floor(Number(match[1]) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
