/** A schema that cannot be used, or a value that takes too long to check: nothing is said about whether it fits. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaError';
  }
}

/** Where a value does not fit, from its top, and why. */
export interface Problem {
  at: (string | number)[];
  text: string;
}

export function problem(text: string, ...at: (string | number)[]): Problem {
  return { at, text };
}

/** The problem of a member as a problem of what holds it. */
export function below(key: string | number, inner: Problem): Problem {
  inner.at.unshift(key);
  return inner;
}

const MAX_SEGMENTS = 8;
const MAX_QUOTED = 60;

/** One line that names the place and the reason; names and texts of the other side are cut short. */
export function describeProblem({ at, text }: Problem): string {
  if (at.length === 0) return text;
  const shown = at.slice(0, MAX_SEGMENTS).map((key) => (typeof key === 'number' ? String(key) : plain(key)));
  if (at.length > MAX_SEGMENTS) shown.push('...');
  return `${shown.join('.')}: ${text}`;
}

/** A JSON text of a value of the other side, short enough for one line. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}

function plain(key: string): string {
  return /^[\w$-]{1,60}$/.test(key) ? key : quoted(key);
}
