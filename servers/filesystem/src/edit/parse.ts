import { ToolError } from '@rootbound/protocol';
import { assertWhole } from './coding.ts';

/** An edit in the caller's arguments, with one of `oldText`, `startLine` and `insertLine`. */
export interface Edit {
  newText: string;
  oldText?: string | undefined;
  replaceAll?: boolean | undefined;
  expected?: number | undefined;
  startLine?: number | undefined;
  endLine?: number | undefined;
  insertLine?: number | undefined;
}

/** Replaces the occurrences of a text. */
export interface TextEdit {
  /** prefix of error messages about this edit; empty if it is the only one */
  readonly where: string;
  readonly oldText: string;
  readonly newText: string;
  /** required number of occurrences; undefined for any number */
  readonly places: number | undefined;
  /** whether the caller set that number */
  readonly counted: boolean;
}

/** Replaces the lines from `after + 1` to `end`; `end` equals `after` for an insertion. */
export interface LineEdit {
  readonly where: string;
  readonly index: number;
  readonly after: number;
  readonly end: number;
  readonly inserts: boolean;
  readonly newText: string;
}

export interface ParsedEdits {
  readonly byLine: readonly LineEdit[];
  readonly byText: readonly TextEdit[];
  /** for each edit in the caller's order its index in `byText`, or -1 */
  readonly order: readonly number[];
}

/** Sorts edits into those by line and those by text. Throws a ToolError for arguments that contradict each other. */
export function parseEdits(edits: readonly Edit[]): ParsedEdits {
  const byLine: LineEdit[] = [];
  const byText: TextEdit[] = [];
  const order: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const where = edits.length === 1 ? '' : `edit ${index + 1}: `;
    checkForm(edit, where);
    checkTexts(edit, where);
    const line = lineEdit(edit, where, index);
    order.push(line === undefined ? byText.length : -1);
    if (line === undefined) byText.push(textEdit(edit, where));
    else byLine.push(line);
  }
  return { byLine, byText, order };
}

function checkForm(edit: Edit, where: string): void {
  const given = [edit.oldText, edit.startLine, edit.insertLine].filter((member) => member !== undefined);
  if (given.length !== 1) {
    throw editError(
      where,
      `${given.length === 0 ? 'has none' : 'has more than one'} of oldText, startLine and insertLine`,
      'set oldText to replace a text, startLine and endLine to replace lines, or insertLine to insert after a line',
    );
  }
  if (edit.oldText === undefined && (edit.replaceAll !== undefined || edit.expected !== undefined))
    throw editError(where, 'replaceAll and expected need oldText', 'leave them out');
  if (edit.endLine === undefined) return;
  if (edit.startLine === undefined) throw editError(where, 'endLine needs startLine', 'set both');
  if (edit.endLine < edit.startLine)
    throw editError(where, `endLine ${edit.endLine} is before startLine ${edit.startLine}`, 'swap them');
}

function checkTexts({ oldText, newText }: Edit, where: string): void {
  if (oldText === '') {
    throw editError(
      where,
      'oldText must not be empty',
      'set oldText to the text to replace, set insertLine to insert (0: at the start), or call write_file for a new file',
    );
  }
  if (oldText !== undefined) assertWhole(`${where}oldText`, oldText);
  assertWhole(`${where}newText`, newText);
  if (newText.includes('\0'))
    throw editError(where, 'newText has a NUL character, which makes a file binary', 'remove the character');
  if (oldText === newText) throw editError(where, 'oldText and newText are the same', 'leave this edit out');
}

function lineEdit(edit: Edit, where: string, index: number): LineEdit | undefined {
  const { newText, startLine, endLine = startLine, insertLine } = edit;
  if (insertLine !== undefined) {
    if (newText === '')
      throw editError(where, 'newText is empty', 'set it to the lines to insert; "\\n" is one empty line');
    return { where, index, after: insertLine, end: insertLine, inserts: true, newText };
  }
  if (startLine === undefined || endLine === undefined) return undefined;
  return { where, index, after: startLine - 1, end: endLine, inserts: false, newText };
}

function textEdit({ oldText = '', newText, replaceAll, expected }: Edit, where: string): TextEdit {
  const places = expected ?? (replaceAll === true ? undefined : 1);
  return { where, oldText, newText, places, counted: expected !== undefined };
}

function editError(where: string, what: string, hint: string): ToolError {
  return new ToolError(`${where}${where === '' && what.startsWith('has ') ? 'the edit ' : ''}${what}`, {
    code: 'invalid-arguments',
    hint,
  });
}
