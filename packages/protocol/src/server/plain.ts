/** Returns true if the JSON text of a value parses to the same value. */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'object') return value === null || hasPlainMembers(value);
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

function hasPlainMembers(value: object): boolean {
  if (Array.isArray(value)) {
    // a missing element is written as null
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index])) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  // plain objects have own members only
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name])) return false;
  return true;
}
