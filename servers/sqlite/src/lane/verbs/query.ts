import { LaneError } from '../../shared/error.ts';
import { type SpoolLimits, spool } from '../../shared/spool.ts';
import type { Params } from '../../shared/sql/parameters.ts';
import { headLine } from '../../shared/values/lines.ts';
import { type Page, type PageEnd, type PageLimits, takePage, USUAL_BYTES } from '../../shared/values/page.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import { withKey } from '../paging/keyset.ts';
import { boundOf } from '../values/bind.ts';
import { RowCursor } from '../values/row-cursor.ts';
import type { RowOrigin } from '../values/row-statements.ts';
import { Answer, type Verb } from '../verb.ts';
import { keysetIn, type Plan, planOf, rowStatementsIn, valuesOf } from './query/plan.ts';
import { type Attachment, beginRead } from './query/read-transaction.ts';

const defaultLimits: PageLimits = { rows: 10_000, bytes: USUAL_BYTES, lineBytes: USUAL_BYTES };
const USUAL_CELL = USUAL_BYTES >> 1;
/** Rows of a first read; only if there are more, paging by key is examined. */
const FEW_ROWS = 100;

export interface QueryArgs {
  /** one statement that has passed checkStatement */
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly limits?: PageLimits;
  /** longer values are truncated */
  readonly cellBytes?: number;
  readonly attach?: readonly Attachment[] | undefined;
  /** the last key of the previous page, as a JSON array */
  readonly after?: string | undefined;
  /** where to spool the rest if the page is incomplete and has no key */
  readonly rest?: SpoolLimits | undefined;
}

/** The facts of a page; its parts are those of `partsOf`. */
export interface PageFacts extends PageEnd {
  readonly tables: readonly string[];
  readonly truncated: boolean;
  /** the end of the rows in the lines */
  readonly linesEnd: PageEnd;
  /** whether the rows after those in the lines are being spooled */
  readonly kept: boolean;
}

/** Returns one page of rows of a statement. */
export const query: Verb<QueryArgs, PageFacts> = ({ connection: own }, args) => {
  const transaction = beginRead(own, args.attach ?? []);
  const { connection } = transaction;
  let rows: RowCursor | undefined;
  const end = (): void => {
    rows?.close();
    transaction.end();
  };
  let continues = false;
  try {
    const plan = planOf(connection, args.sql);
    if (args.after !== undefined || args.attach !== undefined) plan.isLong = true;
    rows = rowsOf(connection, plan, args);
    const limits = beside(args.limits ?? defaultLimits, rows.columns);
    let page = takePage(rows, plan.isLong ? limits : { ...limits, rows: Math.min(limits.rows, FEW_ROWS) });
    if (!plan.isLong && hasMore(page)) {
      plan.isLong = true;
      rows.close();
      rows = rowsOf(connection, plan, args);
      page = takePage(rows, limits);
    }
    if (page.overflow !== undefined && !isKey(page.key) && rows.isByKey) {
      // the key does not fit a cursor
      if (args.after !== undefined) throw noCursor();
      plan.keyset = undefined;
      rows.close();
      rows = rowsOf(connection, plan, args);
      page = takePage(rows, limits);
    }
    const { rest } = args;
    continues = hasMore(page) && !rows.isByKey && rest !== undefined;
    const { columns } = rows;
    const facts: PageFacts = {
      tables: plan.tables,
      rows: page.rows,
      key: page.key,
      linesEnd: page.linesEnd,
      truncated: page.overflow !== undefined,
      kept: continues,
    };
    if (!continues) return new Answer(facts, partsOf(page, columns));
    const feed = rows;
    return new Answer(facts, partsOf(page, columns), () => {
      try {
        spool(page, feed, rest!, { columns, tables: plan.tables });
      } catch {
        // the next page reports that the rest is missing
      } finally {
        end();
      }
    });
  } finally {
    if (!continues) end();
  }
};

/** Returns whether the JSON or the lines omit rows. */
function hasMore({ overflow, withoutLine }: Page): boolean {
  return overflow !== undefined || withoutLine.length > 0;
}

/** Returns the limits minus the size of the columns. */
function beside(limits: PageLimits, columns: readonly ResultColumn[]): PageLimits {
  const { json, lineBytes } = headingOf(columns);
  return { ...limits, bytes: limits.bytes - json.length, lineBytes: limits.lineBytes - lineBytes };
}

/** Returns the parts of a page: rows as JSON and as lines, columns as JSON and as a line. */
export function partsOf(
  { json, lines }: Pick<Page, 'json' | 'lines'>,
  columns: readonly ResultColumn[],
): Buffer[] {
  const heading = headingOf(columns);
  return [json, lines, heading.json, heading.line];
}

function rowsOf(
  connection: Connection,
  plan: Plan,
  { sql, params, limits = defaultLimits, cellBytes = USUAL_CELL, after, attach }: QueryArgs,
): RowCursor {
  const bindings = valuesOf(plan, params);
  const isPaged = plan.isLong && attach === undefined;
  const keyset = isPaged ? keysetIn(connection, plan, sql, bindings) : undefined;
  if (keyset === undefined) {
    if (after !== undefined) throw noCursor();
    const statements = rowStatementsIn(connection, plan, sql, { cellBytes });
    return new RowCursor(connection, statements, bindings, { cellBytes, rowBytes: limits.bytes });
  }
  const { first, next, keys, keyAt, descending, isStored, hasNoSubquery } = keyset;
  const options = { cellBytes, keys, keyAt, descending, isStored };
  const afterKey = (key: string): RowOrigin => {
    const parts = (JSON.parse(key) as unknown[]).map((part) => boundOf(part, 'cursor')); // the cursor has it from an earlier row
    return {
      statements: rowStatementsIn(connection, plan, next, options),
      bindings: withKey(bindings, parts),
    };
  };
  const origin =
    after === undefined
      ? { statements: rowStatementsIn(connection, plan, first, options), bindings }
      : afterKey(after);
  return new RowCursor(connection, origin.statements, origin.bindings, {
    cellBytes,
    rowBytes: limits.bytes,
    ...(hasNoSubquery && keyAt !== undefined && { afterKey }),
  });
}

const LONGEST_KEY = 256;

function isKey(key: string | undefined): boolean {
  return key !== undefined && key.length <= LONGEST_KEY && !key.includes('\uFFFD');
}

function noCursor(): LaneError {
  return new LaneError('the key of the table has changed since the cursor was made', {
    code: 'cursor-expired',
    hint: 'run the query again without cursor',
  });
}

/** The columns of a page as JSON and as the line above its rows. */
interface Heading {
  readonly json: Buffer;
  readonly line: Buffer;
  /** most bytes of the line within a JSON string */
  readonly lineBytes: number;
}

const headings = new WeakMap<readonly ResultColumn[], Heading>();

/** Returns the heading of these columns, cached. */
function headingOf(columns: readonly ResultColumn[]): Heading {
  let heading = headings.get(columns);
  if (heading === undefined) {
    const names = columns.map(({ name }) => name);
    heading = {
      json: Buffer.from(JSON.stringify(columns)),
      line: Buffer.from(`${headLine(names)}\n`),
      lineBytes: Buffer.byteLength(JSON.stringify(names)),
    };
    headings.set(columns, heading);
  }
  return heading;
}
