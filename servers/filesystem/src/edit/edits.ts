import { ToolError } from '@rootbound/protocol';
import { findPlaces, type Place, replaceAt, toCrlf } from './line-ends.ts';
import { nearestLines } from './nearest.ts';
import { assertWhole } from './whole.ts';

/** One exact replacement in a text. */
export interface Edit {
  oldText: string;
  newText: string;
  /** replace every occurrence instead of demanding exactly one */
  replaceAll?: boolean | undefined;
}

export interface Edited {
  text: string;
  /** occurrences that each edit replaced */
  counts: number[];
}

const SHOWN_LINES = 10;

/** Applies edits in order, each on the result of the one before; all or none. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  let current = text;
  const counts: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const where = edits.length === 1 ? '' : `edit ${index + 1}: `;
    const applied = applyEdit(current, edit, where);
    current = applied.text;
    counts.push(applied.count);
  }
  return { text: current, counts };
}

function applyEdit(text: string, edit: Edit, where: string): { text: string; count: number } {
  const { oldText, newText } = edit;
  if (oldText === '') {
    throw failed(
      `${where}oldText must not be empty`,
      'give the text to replace, or use write_file for a new file',
    );
  }
  assertWhole(`${where}oldText`, oldText);
  assertWhole(`${where}newText`, newText);
  if (oldText === newText) throw unchanged(where);
  const found = findLenient(text, oldText);
  if (found.length === 0) throw notMatched(text, oldText, where);
  if (found.length > 1 && edit.replaceAll !== true) {
    const lines = found.slice(0, SHOWN_LINES).map(({ start }) => lineOf(text, start));
    const more = found.length > SHOWN_LINES ? ' and more' : '';
    throw failed(
      `${where}oldText matches ${found.length} places, on lines ${lines.join(', ')}${more}`,
      'include more of the text around it, or set replaceAll',
      'ambiguous',
    );
  }
  const replaced = replaceAt(text, found, newText);
  if (replaced === text) throw unchanged(where);
  return { text: replaced, count: found.length };
}

/** Callers write LF; what is found only with CRLF is what they mean. */
function findLenient(text: string, oldText: string): Place[] {
  const exact = findPlaces(text, oldText);
  const other = toCrlf(oldText);
  return exact.length > 0 || oldText.includes('\r') || other === oldText ? exact : findPlaces(text, other);
}

function notMatched(text: string, oldText: string, where: string): ToolError {
  const near = nearestLines(text, oldText);
  const message = `${where}oldText was not found; it must match exactly, white space included`;
  return failed(
    near === undefined ? message : `${message}\nthe nearest text is on line ${near.line}:\n${near.shown}`,
    'read the file again',
    'no-match',
  );
}

function unchanged(where: string): ToolError {
  return failed(`${where}oldText and newText are the same`, 'leave this edit out');
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function failed(message: string, hint: string, code = 'invalid-arguments'): ToolError {
  return new ToolError(message, { code, hint });
}
