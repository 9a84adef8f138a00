import type { Stretch } from './hunks.ts';

/** A line of a hunk of two sides. */
export interface Line {
  readonly sign: ' ' | '-' | '+';
  /** without its newline */
  readonly bytes: Buffer;
  /** whether it ends in a newline: only the last of a file may not */
  readonly ended: boolean;
}

const NEWLINE = 10;
const BACKSLASH = 92;

/** The lines of a hunk's body; of them people count from 1. */
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
 * The lines of a hunk that does a part of another: what is not chosen stays as it is on the side that the patch is
 * applied to, the new one where it is applied in reverse.
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

/** A line that is not the last of its file any more needs a newline, which is a change where it had none. */
function withNewline(line: Line, reverse: boolean): Line[] {
  if (line.ended) return [line];
  if (line.sign !== ' ') return [{ ...line, ended: true }];
  return [
    { ...line, sign: '-', ended: reverse },
    { ...line, sign: '+', ended: !reverse },
  ];
}

/** How many lines each side of a hunk has. */
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
