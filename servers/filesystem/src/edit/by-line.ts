import { ToolError } from '@rootbound/protocol';
import { encodeNew, endsInNewline } from './coding.ts';
import { Builder, type Document } from './document.ts';
import { isCrlf, toCrlf } from './line-ends.ts';
import type { LineEdit } from './parse.ts';
import { firstAligned, lineStart, nextLine } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

const WINDOW = 256 * 1024;

/** Applies all edits by line number at once. Throws a ToolError if two of them overlap. */
export function* applyLineEdits(document: Document, edits: readonly LineEdit[]): Sliced<Document> {
  if (edits.length === 0) return document;
  const sorted = edits.toSorted((a, b) => a.after - b.after || Number(b.inserts) - Number(a.inserts));
  refuseOverlaps(sorted);
  const { offsets, lines } = yield* findLines(document, sorted);
  for (const edit of edits) if (edit.end > lines) throw beyondEndError(edit, lines);
  const builder = new Builder(document);
  let at = 0;
  for (const edit of sorted) {
    const start = offsets.get(edit.after)!; // findLines has found the offsets of all edits
    const end = offsets.get(edit.end)!;
    builder.keep(at, start);
    builder.put(yield* linesFor(document, builder, edit, start, end));
    at = end;
    yield;
  }
  builder.keep(at, document.length);
  return builder.done();
}

function refuseOverlaps(sorted: readonly LineEdit[]): void {
  let widest: LineEdit | undefined;
  for (const edit of sorted) {
    if (widest !== undefined && edit.after < widest.end) {
      const [first, second] = [widest, edit].sort((a, b) => a.index - b.index);
      throw new ToolError(
        `edits ${first!.index + 1} and ${second!.index + 1} overlap: ${named(first!)} and ${named(second!)}`,
        { code: 'overlap', hint: 'line numbers are those before the call; join the two edits' },
      );
    }
    if (!edit.inserts) widest = edit;
  }
}

function named({ after, end, inserts }: LineEdit): string {
  if (inserts) return `after line ${after}`;
  return end === after + 1 ? `line ${end}` : `lines ${after + 1}-${end}`;
}

function beyondEndError({ where, after, end, inserts }: LineEdit, lines: number): ToolError {
  const field = inserts ? 'insertLine' : after + 1 > lines ? 'startLine' : 'endLine';
  const line = field === 'startLine' ? after + 1 : end;
  return new ToolError(
    `${where}${field} ${line} is past the end: the file has ${lines === 1 ? '1 line' : `${lines} lines`}`,
    {
      code: 'no-match',
      hint: 'read the file again',
    },
  );
}

/** Returns the offset behind each wanted number of lines, and the number of lines of the document. */
function* findLines(
  document: Document,
  sorted: readonly LineEdit[],
): Sliced<{ offsets: Map<number, number>; lines: number }> {
  const { coding } = document;
  const { newline, unit, start } = coding;
  const wanted = [...new Set(sorted.flatMap(({ after, end }) => [after, end]))].sort((a, b) => a - b);
  const offsets = new Map<number, number>();
  let lines = 0;
  let next = 0;
  const reach = (offset: number): void => {
    if (wanted[next] !== lines) return;
    offsets.set(lines, offset);
    next += 1;
  };
  reach(start);
  let steps = 0;
  for (let from = 0; from < document.length; from += WINDOW) {
    const window = document.read(from, Math.min(document.length, from + WINDOW));
    for (let at = firstAligned(window, newline, 0); at >= 0; at = firstAligned(window, newline, at + unit)) {
      lines += 1;
      reach(from + at + unit);
      steps += 1;
      if (steps % STEPS_IN_ONE_GO === 0) yield;
    }
    yield;
  }
  const last = document.read(Math.max(start, document.length - unit), document.length);
  if (last.length > 0 && !endsInNewline(coding, last)) {
    lines += 1;
    reach(document.length);
  }
  return { offsets, lines };
}

/** Encodes new lines with the line ends of the lines around them; the end of the last line of the file stays. */
function* linesFor(
  document: Document,
  builder: Builder,
  { where, newText, inserts }: LineEdit,
  start: number,
  end: number,
): Sliced<Buffer> {
  const { coding, length } = document;
  if (newText === '' || length === coding.start) return encodeNew(coding, where, newText);
  const crlf = yield* endsInCrlf(document, start, end);
  const lineEnd = crlf ? '\r\n' : '\n';
  const body = newText.replace(/\r?\n$/, '');
  const text = crlf ? yield* toCrlf(body) : body;
  // a file whose last line has no line end keeps it that way
  const bare = end === length && !endsInNewline(coding, document.read(length - coding.unit, length));
  const opens = bare && inserts && !builder.atLineStart;
  return encodeNew(coding, where, `${opens ? lineEnd : ''}${text}${bare ? '' : lineEnd}`);
}

/** Returns whether the last replaced line ends in CRLF, or else the line before, or else the first line. */
function* endsInCrlf(document: Document, start: number, end: number): Sliced<boolean> {
  const { coding } = document;
  if (end > start && endsInNewline(coding, document.read(end - coding.unit, end)))
    return isCrlf(document, end);
  const before = yield* lineStart(document, start);
  if (before > coding.start) return isCrlf(document, before);
  return isCrlf(document, yield* nextLine(document, 0));
}
