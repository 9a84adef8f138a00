import { planLines, stepsOf } from '../../shared/query-plan.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import type { Database } from '../driver.ts';
import type { SchemaObject } from '../schema/objects.ts';
import type { Bindings } from '../values/bind.ts';
import { planOf } from './plan.ts';
import { analyse, type ScratchCopy } from './scratch.ts';

/** A candidate index. */
export interface Candidate {
  readonly name: string;
  readonly table: SchemaObject;
  readonly columns: readonly string[];
}

/** A scratch copy in which candidate indexes are created and dropped to see which the planner uses. */
export class Trial {
  readonly #connection: Connection;
  readonly #copy: ScratchCopy;
  readonly #sql: string;
  readonly #bindings: Bindings;
  readonly #candidates = new Map<string, Candidate>();
  #made = 0;
  #isAnalysed = true;

  constructor(connection: Connection, copy: ScratchCopy, sql: string, bindings: Bindings) {
    this.#connection = connection;
    this.#copy = copy;
    this.#sql = sql;
    this.#bindings = bindings;
  }

  get #db(): Database {
    return this.#copy.db;
  }

  add(table: SchemaObject, columns: readonly string[]): void {
    const known = [...this.#candidates.values()].some(
      (one) => one.table === table && one.columns.join('\0') === columns.join('\0'),
    );
    if (known) return;
    const name = `rootbound_advice_${++this.#made}`;
    this.#db.prepare(indexSql(name, table, columns)).run();
    this.#candidates.set(name, { name, table, columns });
    this.#isAnalysed = false;
  }

  plan(): string[] {
    if (!this.#isAnalysed) analyse(this.#connection, this.#copy);
    this.#isAnalysed = true;
    return planLines(planOf(this.#db, this.#sql, this.#bindings));
  }

  /** Returns the candidates that the planner uses. */
  chosen(): Candidate[] {
    const names = this.plan().flatMap((line) =>
      [...line.matchAll(/rootbound_advice_\d+/g)].map(([name]) => name),
    );
    return [...new Set(names)].flatMap((name) => this.#candidates.get(name) ?? []);
  }

  /** Drops the candidates that do not reduce the cost, and trailing columns that are not needed; returns the rest. */
  prune(found: readonly Candidate[]): Candidate[] {
    for (const { name } of this.#candidates.values())
      if (!found.some((one) => one.name === name)) this.#drop(name);
    const kept: Candidate[] = [];
    for (const candidate of found) {
      const cost = this.#cost();
      this.#drop(candidate.name);
      if (!isLess(cost, this.#cost())) continue;
      const shorter = candidate.columns.slice(0, -1);
      if (shorter.length > 0) {
        this.add(candidate.table, shorter);
        const own = [...this.#candidates.values()].at(-1)!;
        if (!isLess(cost, this.#cost())) {
          kept.push(own);
          continue;
        }
        this.#drop(own.name);
      }
      this.add(candidate.table, candidate.columns);
      kept.push([...this.#candidates.values()].at(-1)!);
    }
    const chosen = this.chosen();
    return kept.filter(({ name }) => chosen.some((one) => one.name === name));
  }

  #drop(name: string): void {
    this.#db.prepare(`DROP INDEX ${quoteName(name)}`).run();
    this.#candidates.delete(name);
    this.#isAnalysed = false;
  }

  /**
   * Returns the cost of the plan, most important first: full scans, automatic indexes, sorts, and (negative) terms of
   * index searches.
   */
  #cost(): readonly number[] {
    if (!this.#isAnalysed) analyse(this.#connection, this.#copy);
    this.#isAnalysed = true;
    const cost = [0, 0, 0, 0];
    for (const { detail } of stepsOf(planOf(this.#db, this.#sql, this.#bindings))) {
      if (detail.startsWith('SCAN ') && detail !== 'SCAN CONSTANT ROW') cost[0]! += 1;
      if (detail.includes(' USING AUTOMATIC ')) cost[1]! += 1;
      if (detail.startsWith('USE TEMP B-TREE ')) cost[2]! += 1;
      if (detail.startsWith('SEARCH ')) cost[3]! -= (detail.match(/[=<>]\?/g) ?? []).length;
    }
    return cost;
  }
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at !== -1 && a[at]! < b[at]!;
}

/** Returns the CREATE INDEX statement of an index. */
export function indexSql(name: string, { name: table }: SchemaObject, columns: readonly string[]): string {
  return `CREATE INDEX ${quoteName(name)} ON ${quoteName(table)} (${columns.map(quoteName).join(', ')})`;
}
