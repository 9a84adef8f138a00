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
/** Rows that cost less than the question how to go on afterKey them. */
const FEW_ROWS = 100;

export interface QueryArgs {
  /** one statement that has passed the checks of the server */
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly limits?: PageLimits;
  /** longer values are cut */
  readonly cellBytes?: number;
  readonly attach?: readonly Attachment[] | undefined;
  /** the key after which the page begins, as a JSON array */
  readonly after?: string | undefined;
  /** where the rest goes when the page is not all and has no key to go on from */
  readonly rest?: SpoolLimits | undefined;
}

/** What goes along are the parts of `partsOf`. */
export interface PageFacts extends PageEnd {
  readonly tables: readonly string[];
  readonly truncated: boolean;
  /** what the lines show of it */
  readonly linesEnd: PageEnd;
  /** whether the rows that the lines do not show are being kept */
  readonly kept: boolean;
}

/** One page of rows of one statement. */
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
      // what the key is cannot be said in a cursor
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
        // the next page says that the rest is not there
      } finally {
        end();
      }
    });
  } finally {
    if (!continues) end();
  }
};

/** Whether there are rows that one of the halves does not show. */
function hasMore({ overflow, withoutLine }: Page): boolean {
  return overflow !== undefined || withoutLine.length > 0;
}

/** What is left for rows beside the columns. */
function beside(limits: PageLimits, columns: readonly ResultColumn[]): PageLimits {
  const { json, lineBytes } = headingOf(columns);
  return { ...limits, bytes: limits.bytes - json.length, lineBytes: limits.lineBytes - lineBytes };
}

/** The rows as a JSON array and as lines, and both for the columns. */
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
    const parts = (JSON.parse(key) as unknown[]).map((part) => boundOf(part, 'cursor')); // from an earlier row
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
  return new LaneError('the table is not as it was when the cursor was made', {
    code: 'cursor-expired',
    hint: 'run the query again without cursor',
  });
}

/** What a page says of its columns: as JSON, and as the line above its rows. */
interface Heading {
  readonly json: Buffer;
  readonly line: Buffer;
  /** bytes that the line takes within a JSON string, at the most */
  readonly lineBytes: number;
}

const headings = new WeakMap<readonly ResultColumn[], Heading>();

/** The heading of these columns, from the last time where there was one. */
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
