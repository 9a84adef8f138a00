import { isIndex } from '../../call/arguments.ts';
import { isOid, type Oid } from '../../run/oid.ts';
import { isPatchPosition, type PatchPosition } from '../patches/position.ts';

/** The start of a page. */
export type Place =
  | readonly [part: 'message' | 'files' | 'entries' | 'content', at: number]
  | readonly [part: 'patch', at: PatchPosition | null];

/** A position in an object, which stays valid when the name moves. */
export interface Position {
  readonly oid: Oid;
  readonly place: Place;
}

/** Returns whether a cursor holds a position. */
export function isPosition(value: unknown): value is Position {
  const { oid, place } = (value ?? {}) as { oid?: unknown; place?: unknown };
  if (typeof oid !== 'string' || !isOid(oid) || !Array.isArray(place) || place.length !== 2) return false;
  const [part, at] = place as unknown[];
  if (part === 'patch') return at === null || isPatchPosition(at);
  return ['message', 'files', 'entries', 'content'].includes(part as string) && isIndex(at);
}
