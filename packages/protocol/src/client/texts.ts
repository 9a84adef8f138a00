/** Throws a TypeError that names the first value that is no text: arguments are put into texts as they are. */
export function assertTexts(what: string, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw new TypeError(`${what} ${name} must be a string`);
  }
}
