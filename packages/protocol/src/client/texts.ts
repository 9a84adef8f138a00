/** Throws a TypeError for the first value that is not a string; arguments become parts of texts. */
export function assertTexts(what: string, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') throw new TypeError(`${what} ${name} must be a string`);
  }
}
