import { bytesOf, clipText, fit, type Halves } from '@rootbound/kit/budget';

/** What stands around the text of a result when it is sent. */
const AROUND = 40;
/** What counts and flags take beside facts. */
const COUNTS = 160;
/** How long texts among facts may be, the first that does. */
const LENGTHS = [512, 128, 48];

/** The halves with as many of `count` things as keep each within a result; one at least. */
export function fitted<H extends Halves>(count: number, maxOutput: number, build: (kept: number) => H): H {
  return fit(count, maxOutput - AROUND, build).halves;
}

/** Bytes in JSON that both halves have left for one more text. */
export function roomBeside(halves: Halves, maxOutput: number): number {
  return Math.max(0, maxOutput - AROUND - COUNTS - bytesOf(halves));
}

/** The beginning of a text that takes at most so many bytes in JSON, with a sign for what is left out. */
export function shortened(text: string, maxBytes: number): string {
  if (text.length * 6 <= maxBytes) return text;
  const { kept, truncated } = clipText(text, Math.max(1, maxBytes - 3), { measure: 'json' });
  return truncated ? `${kept}…` : text;
}

/** Facts within so many bytes: redirects are left out first, then what is long is cut. */
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

/** Bytes that facts take as JSON. */
export function sizeOf(facts: object): number {
  return Buffer.byteLength(JSON.stringify(facts));
}
