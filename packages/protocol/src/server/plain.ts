/** Whether the JSON text of a value would be read back as that value. */
export function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || hasPlainMembers(value);
    default:
      return false;
  }
}

function hasPlainMembers(value: object): boolean {
  if (Array.isArray(value)) {
    // an index that is not there is written as null
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index])) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
