/** The error for a message with too many values. */
export const VALUES_LIMIT = 'a message holds at most 500000 JSON values; send fewer at once';

/** Returns a text around an array, with so many commas and brackets that open or separate values. */
export function withValues(count: number, around: (values: number[]) => string): string {
  const rest = around([]).match(/[,[{]/g)!.length; // the text around has no such characters in its strings
  return around(Array.from({ length: count - rest + 1 }, () => 0));
}
