import { ToolError } from '@rootbound/protocol';
import { nearestLines } from './nearest.ts';

/** One exact replacement in a text. */
export interface Edit {
  oldText: string;
  newText: string;
  /** replace every occurrence instead of demanding exactly one */
  replaceAll?: boolean | undefined;
}

/** A stretch of the original text and what stands there afterwards. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface Edited {
  text: string;
  /** occurrences that each edit replaced */
  counts: number[];
}

const SHOWN_LINES = 10;

/** Applies edits in order, each on the result of the one before; all or none. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  let current = text;
  const counts: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const where = edits.length === 1 ? '' : `edit ${index + 1}: `;
    const applied = applyEdit(current, edit, lineEnd, where);
    current = applied.text;
    counts.push(applied.count);
  }
  return { text: current, counts };
}

function applyEdit(
  text: string,
  edit: Edit,
  lineEnd: string,
  where: string,
): { text: string; count: number } {
  if (edit.oldText === '') {
    throw failed(
      `${where}oldText must not be empty`,
      'give the text to replace, or use write_file for a new file',
    );
  }
  const { oldText, newText } = adapt(text, edit, lineEnd);
  if (oldText === newText) throw failed(`${where}oldText and newText are the same`, 'leave this edit out');
  const found = occurrences(text, oldText);
  if (found.length === 0) throw notMatched(text, oldText, where);
  if (found.length > 1 && edit.replaceAll !== true) {
    const lines = found.slice(0, SHOWN_LINES).map((offset) => lineOf(text, offset));
    const more = found.length > SHOWN_LINES ? ' and more' : '';
    throw failed(
      `${where}oldText matches ${found.length} places, on lines ${lines.join(', ')}${more}`,
      'include more of the text around it, or set replaceAll',
      'ambiguous',
    );
  }
  return { text: replaceAt(text, found, oldText.length, newText), count: found.length };
}

/** Callers write LF; in a file of CRLF lines an exact match of what they gave comes first. */
function adapt(
  text: string,
  { oldText, newText }: Edit,
  lineEnd: string,
): { oldText: string; newText: string } {
  if (lineEnd === '\n' || oldText.includes('\r')) return { oldText, newText };
  const given = { oldText, newText: toCrlf(newText) };
  if (!oldText.includes('\n') || text.includes(oldText)) return given;
  return { oldText: toCrlf(oldText), newText: toCrlf(newText) };
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** Offsets of a text, left to right, not overlapping. */
function occurrences(text: string, searched: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length))
    found.push(at);
  return found;
}

function replaceAt(text: string, offsets: readonly number[], length: number, replacement: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const offset of offsets) {
    pieces.push(text.slice(end, offset), replacement);
    end = offset + length;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

function notMatched(text: string, oldText: string, where: string): ToolError {
  const near = nearestLines(text, oldText, SHOWN_LINES);
  const message = `${where}oldText was not found; it must match exactly, white space included`;
  return failed(
    near === undefined ? message : `${message}\nthe nearest text is on line ${near.line}:\n${near.shown}`,
    'read the file again',
    'no-match',
  );
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function failed(message: string, hint: string, code = 'invalid-arguments'): ToolError {
  return new ToolError(message, { code, hint });
}
