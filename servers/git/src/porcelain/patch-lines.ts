import type { Stretch } from './hunks.ts';

/** A line of a hunk of two sides. */
export interface Line {
  readonly sign: ' ' | '-' | '+';
  /** without its newline */
  readonly bytes: Buffer;
  /** false only for a last line without a newline */
  readonly ended: boolean;
}

const NEWLINE = 10;
const BACKSLASH = 92;

/** Returns the lines of a hunk's body, which users count from 1. */
export function linesOf(body: Buffer): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at);
    if (body[at] === BACKSLASH) lines.push({ ...lines.pop()!, ended: false });
    else {
      // an empty line may have lost its blank
      const sign = end === at ? ' ' : (String.fromCharCode(body[at]!) as Line['sign']);
      lines.push({ sign, bytes: body.subarray(Math.min(at + 1, end), end), ended: true });
    }
    at = end + 1;
  }
  return lines;
}

/**
 * Returns the lines of a hunk with only some of its changes: lines that are not chosen stay as they are on the side to
 * which the patch is applied, the new one where it is applied in reverse.
 */
export function chooseLines(
  lines: readonly Line[],
  chosen: (number: number) => boolean,
  reverse: boolean,
): Line[] {
  const taken = reverse ? '+' : '-';
  const kept = lines.flatMap((line, index): Line[] => {
    if (line.sign === ' ' || chosen(index + 1)) return [line];
    return line.sign === taken ? [{ ...line, sign: ' ' }] : [];
  });
  const last = kept.findLastIndex((line) => line.sign !== taken);
  return kept.flatMap((line, index) =>
    line.sign !== taken && index < last ? withNewline(line, reverse) : [line],
  );
}

/** a line that is no longer the last needs a newline, which is a change where it had none */
function withNewline(line: Line, reverse: boolean): Line[] {
  if (line.ended) return [line];
  if (line.sign !== ' ') return [{ ...line, ended: true }];
  return [
    { ...line, sign: '-', ended: reverse },
    { ...line, sign: '+', ended: !reverse },
  ];
}

/** Returns how many lines each side of a hunk has. */
export function countLines(lines: readonly Line[]): { readonly old: number; readonly now: number } {
  const both = lines.filter((line) => line.sign === ' ').length;
  const gone = lines.filter((line) => line.sign === '-').length;
  return { old: both + gone, now: lines.length - gone };
}

export function writeHunk(lines: readonly Line[], old: Stretch, now: Stretch): Buffer {
  const head = `@@ -${old.start},${old.lines} +${now.start},${now.lines} @@\n`;
  return Buffer.concat([Buffer.from(head), ...lines.flatMap(bytesOfLine)]);
}

function bytesOfLine({ sign, bytes, ended }: Line): Buffer[] {
  return [Buffer.from(sign), bytes, Buffer.from(ended ? '\n' : '\n\\ No newline at end of file\n')];
}
