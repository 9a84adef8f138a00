import { ToolError } from '@rootbound/protocol';
import { describeNearest } from './describe-nearest.ts';
import type { Document } from './document.ts';
import { Finder } from './finder.ts';
import { toCrlf } from './line-ends.ts';
import { nearestLines } from './nearest.ts';
import type { TextEdit } from './parse.ts';
import { linesBefore } from './scan.ts';
import type { Sliced } from './slices.ts';

/** Shorter texts, in characters, occur by chance. */
const LEAST_CHARACTERS = 8;

/** Returns the error for an `oldText` that was not found, with a diff against the nearest text of the file. */
export function* noMatchError(document: Document, edit: TextEdit): Sliced<ToolError> {
  const { where, oldText, newText } = edit;
  const lines = [`${where}oldText was not found; it must match exactly, including white space`];
  const near = yield* nearestLines(document, oldText);
  if (near !== undefined) lines.push(...(yield* describeNearest(near)));
  const there = newText.trim().length < LEAST_CHARACTERS ? undefined : yield* lineOf(document, newText);
  if (there !== undefined) lines.push(`newText is already in the file, on line ${there}`);
  return new ToolError(lines.join('\n'), { code: 'no-match', hint: hintFor(document, oldText) });
}

function* lineOf(document: Document, text: string): Sliced<number | undefined> {
  for (const written of new Set([text, yield* toCrlf(text)])) {
    const searched = document.coding.encode(written);
    if (searched === undefined) continue;
    const found = yield* new Finder(document, searched).next(document.coding.start);
    if (found >= 0) return (yield* linesBefore(document, [found]))[0]! + 1;
  }
  return undefined;
}

function hintFor({ coding }: Document, oldText: string): string {
  if (coding.name === 'utf-8' && oldText.includes('\ufffd'))
    return "U+FFFD stands for bytes that are not valid UTF-8: leave it out of oldText, or set encoding to 'latin1'";
  const lines = oldText
    .slice(0, 4096)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => /^\s*\d+(?:[:|\t\u2192]|$)/.test(line)))
    return 'leave the line numbers out of oldText';
  return 'read the file again';
}
