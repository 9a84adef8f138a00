/** Returns those of `values` that begin with the typed text, then those that contain it elsewhere, ignoring case. */
export function matching(values: Iterable<string>, typed: string): string[] {
  const wanted = typed.toLowerCase();
  const first: string[] = [];
  const second: string[] = [];
  for (const value of new Set(values)) {
    if (value.startsWith(typed)) first.push(value);
    else if (value.toLowerCase().includes(wanted)) second.push(value);
  }
  return [...first, ...second];
}
