/** An unusable schema, or a value that takes too long to check. It does not mean that the value is invalid. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaError';
  }
}

/** The path to an invalid value from the root, and the reason. */
export interface Problem {
  at: (string | number)[];
  text: string;
}

export function problem(text: string, ...at: (string | number)[]): Problem {
  return { at, text };
}

/** Returns a problem of a member as a problem of the value that contains it. */
export function below(key: string | number, inner: Problem): Problem {
  inner.at.unshift(key);
  return inner;
}

const MAX_SEGMENTS = 8;
const MAX_QUOTED = 60;

/** Returns one line with the path and the reason; long names and values are truncated. */
export function describeProblem({ at, text }: Problem): string {
  if (at.length === 0) return text;
  const segments = at
    .slice(0, MAX_SEGMENTS)
    .map((key) => (typeof key === 'number' ? String(key) : plain(key)));
  if (at.length > MAX_SEGMENTS) segments.push('...');
  return `${segments.join('.')}: ${text}`;
}

/** Returns the JSON text of a value, truncated to fit on one line. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

function plain(key: string): string {
  return /^[\w$-]{1,60}$/.test(key) ? key : quoted(key);
}
