import { ToolError } from '@rootbound/protocol';
import { type Json, openCursor, sealCursor } from './cursor.ts';
import { jsonBytes, surelyFits } from './measure.ts';

/** Both halves of a result. */
export interface Halves {
  structured: object;
  text: string;
}

export interface Fitted<H extends Halves> {
  kept: number;
  halves: H;
}

/**
 * Returns the halves for the first items, as many of `count` as keep both within the budget; at least one, so that
 * paging ends.
 */
export function fit<H extends Halves>(
  count: number,
  maxOutput: number,
  build: (kept: number) => H,
): Fitted<H> {
  let kept = count;
  for (;;) {
    const halves = build(kept);
    if (kept <= 1 || fits(halves, maxOutput)) return { kept, halves };
    const bytes = bytesOf(halves);
    kept = Math.max(1, Math.min(kept - 1, Math.floor((kept * maxOutput) / bytes)));
  }
}

function fits({ structured, text }: Halves, maxOutput: number): boolean {
  const isShort = surelyFits(text, maxOutput) || jsonBytes(text) <= maxOutput;
  return isShort && Buffer.byteLength(JSON.stringify(structured)) <= maxOutput;
}

/** Returns the bytes of the longer half. */
export function bytesOf({ structured, text }: Halves): number {
  return Math.max(Buffer.byteLength(JSON.stringify(structured)), jsonBytes(text));
}

/** Returns a cursor that continues this query of this tool and no other. */
export function sealPosition(tool: string, query: Json, position: Json): string {
  return sealCursor(tool, [fingerprint(query), position]);
}

/** Returns the position in a cursor of the same query. */
export function openPosition<T>(
  tool: string,
  query: Json,
  cursor: string,
  is: (value: unknown) => value is T,
): T {
  const own = fingerprint(query);
  const [print, position] = openCursor(tool, cursor, (value): value is [number, T] => {
    if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'number') return false;
    // a cursor of another query may have another kind of position
    return value[0] !== own || is(value[1]);
  });
  if (print === own) return position;
  throw new ToolError('cursor continues a call with other arguments', {
    code: 'invalid-cursor',
    hint: 'repeat the arguments of that call, or start again without cursor',
  });
}

function fingerprint(query: Json): number {
  const text = JSON.stringify(query);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Returns the sentence about the rest, for the end of a page's text. */
export function moreNote(what: string, nextCursor: string | undefined): string {
  return nextCursor === undefined ? `[${what}]` : `[${what}; more with cursor ${nextCursor}]`;
}

/** Returns a number with its noun: `1 entry`, `2 entries`. */
export function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}
