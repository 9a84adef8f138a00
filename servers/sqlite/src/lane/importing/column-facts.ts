import type { ColumnType } from '../../shared/import-plan.ts';
import { isInt64, isIntegerText, realText } from '../formats/numbers.ts';
import { isNumeric, isWhole } from './affinity.ts';

/** A cell and the line of its row. */
export interface LocatedCell {
  readonly line: number;
  readonly value: string;
}

/** The type of one CSV column by its cells so far. */
export class TextFacts {
  #cells = 0;
  #isInteger = true;
  /** whether each cell reads back from REAL as written */
  #isReal = true;
  /** number of decimals that all cells have; REAL drops only trailing zeros of them */
  #decimals: number | undefined;
  #isFixed = true;
  #isNumeric = true;
  #isWhole = true;
  #losesZeros = false;
  #textCause: LocatedCell | undefined;

  /** Adds the next cell and returns whether the type may have changed. */
  add(text: string, line: number): boolean {
    this.#cells += 1;
    // shortcut: most columns hold whole numbers, or are known to be text
    if (this.#isInteger && this.#cells > 1 && isIntegerText(text)) return false;
    if (this.#textCause !== undefined) {
      if (this.#isNumeric) this.#look(text);
      return false;
    }
    const before = this.type;
    if (this.#isInteger && !isIntegerText(text)) this.#isInteger = false;
    if (this.#isReal || this.#isFixed) this.#lookAtReal(text);
    if (!this.#isInteger && !this.#isReal && !this.#isFixed) {
      this.#textCause = { line, value: text };
      this.#look(text);
    } else if (this.#isWhole && !isWhole(text)) this.#isWhole = false;
    return this.#cells === 1 || this.type !== before;
  }

  /** undefined while all cells are NULL */
  get type(): ColumnType | undefined {
    if (this.#cells === 0) return undefined;
    if (this.#isInteger) return 'INTEGER';
    return this.#isReal || this.#isFixed ? 'REAL' : 'TEXT';
  }

  /** number of decimals, if trailing zeros are lost */
  get lostDecimals(): number | undefined {
    return this.type === 'REAL' && !this.#isReal && this.#losesZeros ? this.#decimals : undefined;
  }

  /** the cell because of which a column of numbers is TEXT, and the numeric type it could have */
  get textCause(): { cell: LocatedCell; ask: ColumnType } | undefined {
    if (this.#textCause === undefined || !this.#isNumeric) return undefined;
    return { cell: this.#textCause, ask: this.#isWhole ? 'INTEGER' : 'REAL' };
  }

  #lookAtReal(text: string): void {
    const back = realBack(text);
    if (back === text) {
      this.#lookAtDecimals(text, text);
      return;
    }
    this.#isReal = false;
    if (back === undefined) this.#isFixed = false;
    else this.#lookAtDecimals(text, back);
  }

  #lookAtDecimals(text: string, back: string): void {
    if (!this.#isFixed) return;
    const point = text.indexOf('.');
    const decimals = point === -1 || /e/i.test(text) ? 0 : text.length - point - 1;
    this.#decimals ??= decimals;
    this.#isFixed = decimals > 0 && decimals === this.#decimals && isLessZeros(text, back);
    this.#losesZeros ||= back.length < text.length;
  }

  #look(text: string): void {
    if (this.#isWhole && !isWholeInt64(text)) this.#isWhole = false;
    if (!this.#isWhole && !isNumeric(text)) this.#isNumeric = false;
  }
}

/** Matches decimals as JSON and most programs write them. */
const real = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns how a REAL of this text reads back; undefined if it is no REAL. A REAL column does not store -0.0. */
function realBack(text: string): string | undefined {
  if (!real.test(text)) return undefined;
  return realText(Number(text) + 0);
}

/** Returns whether a text is another one plus trailing zeros. */
function isLessZeros(text: string, back: string): boolean {
  return text.startsWith(back) && /^0*$/.test(text.slice(back.length));
}

function isWholeInt64(text: string): boolean {
  return isWhole(text) && !text.includes('\0') && isInt64(BigInt(text.trim().replace(/^\+/, '')));
}

/** The type of one JSON column by its values so far. */
export class JsonFacts {
  #numbers = false;
  #others: 'TEXT' | 'BLOB' | 'ANY' | undefined;
  #isInteger = true;
  #isReal = true;
  #isStored = true;
  #textCause: LocatedCell | undefined;

  /** Adds the next value and returns whether the type may have changed. */
  add(value: JsonKind, line: number): boolean {
    const before = this.type;
    if (value.kind === 'NUMBER') {
      this.#numbers = true;
      this.#isInteger &&= value.isInteger;
      this.#isReal &&= value.isReal;
      if (!value.isInteger && !value.isExact) {
        this.#textCause ??= { line, value: value.text };
        this.#isStored = false;
      }
    } else this.#others = this.#others === undefined || this.#others === value.kind ? value.kind : 'ANY';
    return this.type !== before;
  }

  /** undefined while all values are NULL */
  get type(): ColumnType | undefined {
    if (!this.#numbers) return this.#others;
    if (this.#others !== undefined) return 'ANY';
    if (this.#isInteger) return 'INTEGER';
    if (this.#isReal) return 'REAL';
    return this.#isStored ? 'ANY' : 'TEXT';
  }

  /** JSON columns lose no trailing zeros */
  readonly lostDecimals = undefined;

  get textCause(): { cell: LocatedCell; ask: ColumnType } | undefined {
    return this.#textCause === undefined || this.#others !== undefined
      ? undefined
      : { cell: this.#textCause, ask: 'REAL' };
  }
}

/** The kind of a JSON value as a column sees it. */
export type JsonKind =
  | { readonly kind: 'TEXT' | 'BLOB' }
  | {
      readonly kind: 'NUMBER';
      readonly text: string;
      /** INTEGER stores it exactly */
      readonly isInteger: boolean;
      /** a REAL column stores it exactly */
      readonly isReal: boolean;
      /** a REAL equals it */
      readonly isExact: boolean;
    };
