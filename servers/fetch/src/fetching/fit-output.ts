import { bytesOf, clipText, fit, type Halves } from '@rootbound/kit/budget';

/** Bytes around the text of a result when it is sent. */
const AROUND = 40;
/** Bytes of counts and flags beside the facts. */
const COUNTS = 160;
/** Lengths to which long texts among the facts are shortened, tried in order. */
const LENGTHS = [512, 128, 48];

/** Returns the halves with as many of `count` items as fit each half of a result; at least one. */
export function fitted<H extends Halves>(count: number, maxOutput: number, build: (kept: number) => H): H {
  return fit(count, maxOutput - AROUND, build).halves;
}

/** Returns the bytes of JSON that both halves leave for one more text. */
export function roomBeside(halves: Halves, maxOutput: number): number {
  return Math.max(0, maxOutput - AROUND - COUNTS - bytesOf(halves));
}

/** Returns the beginning of a text that takes at most so many bytes of JSON, with an ellipsis if it was cut. */
export function shortened(text: string, maxBytes: number): string {
  if (text.length * 6 <= maxBytes) return text;
  const { kept, truncated } = clipText(text, Math.max(1, maxBytes - 3), { measure: 'json' });
  return truncated ? `${kept}…` : text;
}

/** Shortens facts to so many bytes: removes the redirects first, then shortens long texts. */
export function shortenedFacts(facts: Readonly<Record<string, unknown>>, maxBytes: number) {
  if (sizeOf(facts) <= maxBytes) return facts;
  const { redirects: _, ...rest } = facts;
  let left: Record<string, unknown> = rest;
  for (const most of LENGTHS) {
    if (sizeOf(left) <= maxBytes) break;
    left = Object.fromEntries(
      Object.entries(left).map(([name, value]) => [
        name,
        typeof value === 'string' ? shortened(value, most) : value,
      ]),
    );
  }
  return left;
}

/** Returns the bytes of facts as JSON. */
export function sizeOf(facts: object): number {
  return Buffer.byteLength(JSON.stringify(facts));
}
