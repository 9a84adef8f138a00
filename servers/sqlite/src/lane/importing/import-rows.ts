import { LaneError } from '../../shared/error.ts';
import type { ImportPlan } from '../../shared/import-plan.ts';
import { sameName } from '../../shared/sql/names.ts';
import { type Connection, rowCount } from '../connection.ts';
import type { Pull } from '../formats/text.ts';
import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import { AlteredValues } from './altered.ts';
import { Inserts, type TargetColumns } from './inserts.ts';
import { Mapping } from './mapping.ts';
import { NewTable } from './new-table.ts';
import { previewRow } from './preview.ts';
import { Rejects, rejectOf } from './rejects.ts';
import type { ColumnNotes, Imported } from './result.ts';
import { type Row, readRows } from './rows.ts';
import { type Target, targetOf } from './target.ts';
import { ValueProblem } from './values.ts';

/** Rows read before the table is created with the types that they suggest. */
const SAMPLE = 1_000;
/** Most rows in the preview of a dry run. */
const MOST_PREVIEWED = 3;

/**
 * Inserts the rows of a file into a table, within the caller's transaction. The types of a new table preserve every
 * cell: if later rows need other types than the first ones, the result has the types to start again with.
 */
export function importRows(connection: Connection, pull: Pull<string>, plan: ImportPlan): Imported {
  const existing = existingTarget(connection, plan);
  const mapping = new Mapping(plan, existing);
  const rows = readRows(pull, plan, (header) => {
    mapping.header = header;
  });
  return existing === undefined
    ? importNew(connection, rows, plan, mapping)
    : importInto(connection, rows, plan, { target: existing, mapping });
}

function importNew(
  connection: Connection,
  rows: Generator<Row>,
  plan: ImportPlan,
  mapping: Mapping,
): Imported {
  const made = new NewTable(mapping, plan);
  const sample: Row[] = [];
  for (const row of first(rows, SAMPLE)) {
    mapping.observe(row);
    made.observe(row);
    sample.push(row);
  }
  assertSomeRow(sample);
  const target = made.create(connection, plan.table!, plan.types); // plans for rows have a table
  const places: TargetColumns = {
    columnOf: (key) => made.columnOf(key),
    isInferred: (key) => made.isInferred(key),
    isByOrder: false,
  };
  const writing = new Writing(connection, target, plan, places);
  for (const row of sample) writing.insert(row);
  const isLastReading = plan.types !== undefined;
  let isOther = false;
  for (const row of rows) {
    mapping.observe(row);
    isOther = made.observe(row) || isOther;
    // the other rows are only read for their types
    if (!isOther || isLastReading) writing.insert(row);
  }
  mapping.assertAllFound();
  if (!made.fits || (isOther && !isLastReading)) return retryOrThrow(made, plan);
  return { ...writing.result, ...mapping.notes, ...made.notes };
}

/** Throws the first problem if every row has one. */
function assertSomeRow(sample: readonly Row[]): void {
  if (sample.some(({ problem }) => problem === undefined)) return;
  const rejects = new Rejects(0);
  for (const { line, problem } of sample) if (problem !== undefined) rejects.add({ line, reason: problem });
}

function retryOrThrow(made: NewTable, { types }: ImportPlan): Imported {
  if (types === undefined) return { ...nothing, retryWithTypes: made.types };
  throw new LaneError('the file changed while it was read', {
    code: 'changed',
    retryable: true,
    hint: 'nothing was imported; call again when no program writes to the file',
  });
}

const nothing: Imported = {
  inserted: 0,
  updated: 0,
  ignored: 0,
  rejected: 0,
  rejects: [],
  created: false,
  tables: [],
  schema: false,
};

function importInto(
  connection: Connection,
  rows: Generator<Row>,
  plan: ImportPlan,
  { target, mapping }: { readonly target: Target; readonly mapping: Mapping },
): Imported {
  const { table, columns } = target;
  const places: TargetColumns = {
    isByOrder: mapping.isByOrder,
    isInferred: () => false,
    columnOf(key) {
      const name = mapping.of(key)?.name;
      if (name === undefined) return undefined;
      const column = columns.find((candidate) => sameName(candidate.name, name));
      if (column === undefined) throw new ValueProblem(`${table} has no column ${name} that takes values`);
      return column;
    },
  };
  const writing = new Writing(connection, target, plan, places);
  for (const row of rows) {
    mapping.observe(row);
    writing.insert(row);
  }
  mapping.assertAllFound();
  const { columns: used, ...result } = writing.result;
  return { ...result, ...mapping.notes, ...(plan.dryRun && { columns: used ?? [] }) };
}

/** Inserts rows and collects the result. */
class Writing {
  readonly #connection: Connection;
  readonly #target: Target;
  readonly #plan: ImportPlan;
  readonly #inserts: Inserts;
  readonly #rejects: Rejects;
  readonly #altered = new AlteredValues();
  readonly #tables: Set<string>;
  readonly #overwrites: boolean;
  readonly #before: number;
  readonly #first: Record<string, unknown>[] = [];
  #changed = 0;
  #ignored = 0;

  constructor(connection: Connection, target: Target, plan: ImportPlan, places: TargetColumns) {
    this.#connection = connection;
    this.#target = target;
    this.#plan = plan;
    this.#rejects = new Rejects(plan.dryRun ? Number.POSITIVE_INFINITY : plan.maxRejects);
    this.#tables = new Set([target.table]);
    const check = (sql: string): void => {
      const program = inspect(connection, sql);
      assertAllowed(program, 'write');
      for (const table of program.writesTables) this.#tables.add(table);
    };
    const { format, onConflict } = plan;
    this.#inserts = new Inserts(connection, target, places, {
      format,
      onConflict,
      altered: this.#altered,
      check,
    });
    this.#overwrites = onConflict === 'replace' || onConflict === 'update';
    this.#before = this.#overwrites ? rowCount(connection, target.table) : 0;
  }

  insert(row: Row): void {
    if (row.problem !== undefined) {
      this.#rejects.add({ line: row.line, reason: row.problem });
      return;
    }
    try {
      const changes = this.#inserts.run(row);
      this.#changed += changes;
      if (changes === 0) this.#ignored += 1;
      else if (this.#plan.dryRun && this.#first.length < MOST_PREVIEWED)
        this.#first.push(previewRow(this.#inserts.stored(row)));
    } catch (error) {
      const reject = this.#connection.db.inTransaction ? rejectOf(row, error) : undefined;
      if (reject === undefined) throw error;
      this.#rejects.add(reject);
    }
  }

  get result(): Imported {
    const { create, dryRun } = this.#plan;
    const changed = this.#changed;
    const inserted = this.#overwrites
      ? Math.max(0, rowCount(this.#connection, this.#target.table) - this.#before)
      : changed;
    const altered = this.#altered.columns;
    const notes: ColumnNotes = {
      columns: this.#inserts.used,
      ...(altered.length > 0 && { altered, altered_count: this.#altered.count }),
      ...(dryRun && { first_rows: this.#first }),
    };
    return {
      inserted,
      updated: changed - inserted,
      ignored: this.#ignored,
      rejected: this.#rejects.count,
      rejects: this.#rejects.listed,
      table: this.#target.table,
      created: create,
      tables: [...this.#tables],
      schema: create,
      ...notes,
    };
  }
}

/** Returns the existing table; undefined if it is to be created. */
function existingTarget({ db }: Connection, { table, create }: ImportPlan): Target | undefined {
  if (table === undefined) throw new TypeError('rows need a table');
  const target = targetOf(db, table);
  if (target !== undefined && create) {
    throw new LaneError(`the table exists already: ${target.table}`, {
      code: 'exists',
      hint: 'omit create to add rows to it',
    });
  }
  if (target !== undefined || create) return target;
  throw new LaneError(`no such table: ${table}`, {
    code: 'no-such-table',
    hint: 'set create to create it with types derived from the rows',
  });
}

/** Yields the next rows and leaves the iterator open for the others. */
function* first(rows: Iterator<Row>, most: number): Generator<Row> {
  for (let count = 0; count < most; count += 1) {
    const { value, done } = rows.next();
    if (done === true) return;
    yield value;
  }
}
