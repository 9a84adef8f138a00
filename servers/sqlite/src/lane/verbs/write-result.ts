import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { NEEDS_BYTES } from '../../shared/export-plan.ts';
import type { Params } from '../../shared/sql/parameters.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import { isUtf8, rowsOf } from '../exporting/reading.ts';
import { Sink } from '../exporting/sink.ts';
import { writeCsv, writeJson } from '../exporting/write-rows.ts';
import { simpleSelect } from '../sql/simple-select.ts';
import type { Bindings } from '../values/bind.ts';
import { columnsOf } from '../values/columns.ts';
import type { Verb } from '../verb.ts';
import { planOf, valuesOf } from './query/plan.ts';
import { type Attachment, beginRead } from './query/read-transaction.ts';

export interface WriteResultArgs {
  /** one statement that has passed checkStatement */
  readonly sql: string;
  readonly params?: Params | undefined;
  readonly attach?: readonly Attachment[] | undefined;
  readonly format: 'csv' | 'json' | 'ndjson';
  /** path of the file to create */
  readonly path: string;
  readonly mostBytes: number;
}

export interface WrittenFacts {
  readonly columns: readonly ResultColumn[];
  readonly tables: readonly string[];
  readonly rows: number;
  readonly bytes: number;
}

/** Writes all rows of a statement to a file. */
export const writeResult: Verb<WriteResultArgs, WrittenFacts> = ({ connection: own, progress }, args) => {
  const { sql, params, attach = [], path, mostBytes } = args;
  const { connection, end } = beginRead(own, attach);
  const file = openSync(path, 'wx', 0o600);
  try {
    const plan = planOf(connection, sql);
    const bindings = valuesOf(plan, params);
    const total = countOf(connection, sql, bindings);
    const columns = columnsOf(connection.prepare(sql));
    for (let exactly = false; ; exactly = true) {
      let rows = 0;
      let bytes = 0;
      ftruncateSync(file);
      const sink = new Sink((piece) => {
        if (bytes + piece.length > mostBytes) throw tooLarge(mostBytes);
        writeAll(file, piece, bytes);
        bytes += piece.length;
        progress(rows, total === undefined ? undefined : Math.max(total, rows));
      });
      const counted = (): void => {
        rows += 1;
      };
      try {
        const values = rowsOf(connection, sql, bindings, exactly);
        if (args.format === 'csv') writeCsv(sink, values, ',', counted);
        else writeJson(sink, values, args.format === 'ndjson', counted);
        sink.flush();
        return { columns, tables: plan.tables, rows, bytes };
      } catch (error) {
        const again = error instanceof LaneError && error.code === NEEDS_BYTES;
        if (!again || exactly || !isUtf8(connection)) throw error;
      }
    }
  } finally {
    closeSync(file);
    end();
  }
};

/** Returns the number of rows if counting is cheap. */
function countOf(connection: Connection, sql: string, bindings: Bindings): number | undefined {
  const select = simpleSelect(sql);
  if (select === undefined || select.where !== undefined || bindings.length > 0) return undefined;
  const from = select.text.slice(select.from.start, select.from.end);
  return connection.db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number; // count(*) returns a number
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

function tooLarge(most: number): LaneError {
  return new LaneError(`the result has more than ${most} bytes`, {
    code: 'too-large',
    hint: 'narrow the query, or write it to a file in the roots with export_data',
  });
}
