import { ToolError } from '@rootbound/protocol';
import { encodeNew } from './coding.ts';
import { Builder, type Document } from './document.ts';
import { Finder } from './finder.ts';
import { countEnds, LineEnds, toCrlf } from './line-ends.ts';
import { noMatchError } from './no-match.ts';
import type { TextEdit } from './parse.ts';
import { linesBefore } from './scan.ts';
import { type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

export interface Edited {
  document: Document;
  /** number of replaced occurrences */
  count: number;
}

interface Found {
  /** the text as it occurs in the document, with its line ends */
  text: string;
  count: number;
  /** offsets of the first occurrences */
  starts: number[];
}

const KEPT_STARTS = 1000;
const MAX_NAMED_LINES = 10;

/** Replaces the occurrences of a text. Throws a ToolError unless there are as many as the edit expects. */
export function* applyTextEdit(document: Document, edit: TextEdit): Sliced<Edited> {
  const found = yield* findLenient(document, edit.oldText);
  if (found === undefined) throw yield* noMatchError(document, edit);
  if (edit.places !== undefined && edit.places !== found.count)
    throw yield* countError(document, edit, found);
  return { document: yield* replace(document, edit, found), count: found.count };
}

/** Finds a text as it is, or else with CRLF in place of LF, since callers write LF. */
function* findLenient(document: Document, oldText: string): Sliced<Found | undefined> {
  const exact = yield* find(document, oldText);
  if (exact !== undefined || oldText.includes('\r') || !oldText.includes('\n')) return exact;
  return yield* find(document, yield* toCrlf(oldText));
}

function* find(document: Document, text: string): Sliced<Found | undefined> {
  const starts: number[] = [];
  let count = 0;
  for (const places = new Places(document, text); ; count++) {
    const start = places.near() ?? (yield* places.next());
    if (start < 0) break;
    if (count < KEPT_STARTS) starts.push(start);
    if (count % STEPS_IN_ONE_GO === 0) yield;
  }
  return count === 0 ? undefined : { text, count, starts };
}

/** The occurrences of a text from left to right, without overlaps; -1 after the last. */
class Places {
  readonly #finder: Finder | undefined;
  readonly #length: number;
  #at: number;

  constructor(document: Document, text: string) {
    const searched = document.coding.encode(text);
    this.#finder = searched && new Finder(document, searched);
    this.#length = searched?.length ?? 0;
    this.#at = document.coding.start;
  }

  /** Returns the next occurrence if it is in the present window. */
  near(): number | undefined {
    const start = this.#finder?.near(this.#at);
    if (start !== undefined) this.#at = start + this.#length;
    return start;
  }

  *next(): Sliced<number> {
    if (this.#finder === undefined) return -1;
    const start = yield* this.#finder.next(this.#at);
    this.#at = start + this.#length;
    return start;
  }
}

function* replace(document: Document, edit: TextEdit, found: Found): Sliced<Document> {
  const { coding } = document;
  const crlfText = yield* toCrlf(edit.newText);
  const bare = encodeNew(coding, edit.where, edit.newText);
  const crlf = crlfText === edit.newText ? bare : coding.encode(crlfText)!; // newText was encoded above
  const { length } = coding.encode(found.text)!; // it was found in the document
  const choose = yield* lineEndChooser(document, found.text, crlfText);
  const builder = new Builder(document);
  const places = found.count > found.starts.length ? new Places(document, found.text) : undefined;
  let at = 0;
  for (let index = 0; index < found.count; index++) {
    const start = places === undefined ? found.starts[index]! : (places.near() ?? (yield* places.next()));
    const widened = widens(document, found.text, start);
    builder.keep(at, widened ? start - coding.unit : start);
    builder.put(crlf !== bare && (yield* choose(start + length, widened)) ? crlf : bare);
    at = start + length;
    if (index % STEPS_IN_ONE_GO === 0) yield;
  }
  builder.keep(at, document.length);
  return builder.done();
}

/**
 * Returns whether the text begins with the LF of a CRLF in the document. The edit then replaces the whole line end,
 * unless the text contains CR.
 */
function widens(document: Document, text: string, start: number): boolean {
  const { unit, decode } = document.coding;
  if (!text.startsWith('\n') || text.includes('\r') || start < unit) return false;
  return decode(document.read(start - unit, start)) === '\r';
}

/** Returns a function that decides whether a replacement is written with CRLF, like the lines around it. */
function* lineEndChooser(
  document: Document,
  text: string,
  crlfText: string,
): Sliced<(end: number, widened: boolean) => Sliced<boolean>> {
  const { ends, pairs } = yield* countEnds(text);
  const around = new LineEnds(document);
  return function* (end, widened) {
    // a replacement that differs only in its line ends is written as it is
    if ((widened ? `\r${text}` : text) === crlfText) return false;
    if (ends > 0) return (pairs + Number(widened)) * 2 > ends;
    return yield* around.isCrlfAt(end);
  };
}

function* countError(document: Document, edit: TextEdit, found: Found): Sliced<ToolError> {
  const named = found.starts.slice(0, MAX_NAMED_LINES);
  const lines = (yield* linesBefore(document, named)).map((line) => line + 1);
  const more = found.count > named.length ? ' and more' : '';
  const places = found.count === 1 ? '1 place, on line' : `${found.count} places, on lines`;
  const wanted = edit.counted ? `; expected is ${edit.places}` : '';
  return new ToolError(
    `${edit.where}oldText matches ${places} ${lines.join(', ')}${more}${wanted}`,
    edit.counted
      ? {
          code: 'wrong-count',
          hint: 'correct expected, or include more of the text around it in oldText',
        }
      : { code: 'ambiguous', hint: 'include more of the text around it in oldText, or set replaceAll' },
  );
}
