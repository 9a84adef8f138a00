import type { Position } from '../search/query.ts';

/** A position in the JSON of a cursor. */
export type PositionJson = [path: string, line: number | null, key: number | null];

export function isPositionJson(value: unknown): value is PositionJson {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [path, line, key]: unknown[] = value;
  if (typeof path !== 'string' || (line !== null && !Number.isSafeInteger(line))) return false;
  return key === null || Number.isFinite(key);
}

export function toPosition([path, line, key]: PositionJson): Position {
  return { path, ...(line !== null && { line }), ...(key !== null && { key }) };
}

export function toPositionJson({ path, line, key }: Position): PositionJson {
  return [path, line ?? null, key ?? null];
}
