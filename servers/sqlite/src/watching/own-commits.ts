import type { Committed } from '../changes.ts';
import type { Observation } from '../lane/watching/watched-file.ts';

/** A commit that was seen and not announced may be announced so much later. */
const LATE_MS = 1_000;

/**
 * Own commits that were told when they came, so that the look that finds them is not told again. Where the counts do not
 * say it for sure, it is told again.
 */
export class OwnCommits {
  #commits = 0;
  #schema = false;
  readonly #tables = new Set<string>();
  /** commits that a look has told while this server was writing, and that may be announced yet */
  #loose = 0;
  #looseAt = 0;
  /** how many announcements there were */
  announced = 0;

  announce({ tables, schema, commits }: Committed, now: number): void {
    this.announced += 1;
    if (now - this.#looseAt > LATE_MS) this.#loose = 0;
    const reported = Math.min(this.#loose, commits);
    this.#loose -= reported;
    this.#commits += commits - reported;
    this.#schema ||= schema;
    for (const table of tables) this.#tables.add(table.toLowerCase());
  }

  /** Whether all that a look has found was announced; while this server is writing, what is not may be yet. */
  covers({ tables, schema, commits, coarse }: Observation, now: number, isWriting: boolean): boolean {
    const own = this.#commits;
    this.#commits = Math.max(0, own - (commits ?? own));
    if (
      commits !== undefined &&
      commits <= own &&
      (!schema || this.#schema) &&
      (coarse || this.#hasAll(tables))
    )
      return true;
    if (!isWriting) return false;
    // a database has one writer
    this.#loose = commits === undefined || commits > own ? 1 : 0;
    this.#looseAt = now;
    return false;
  }

  /** A look that was asked for after this many announcements has seen all that was announced before. */
  settle(announced: number): void {
    if (announced !== this.announced) return;
    this.#commits = 0;
    this.#schema = false;
    this.#tables.clear();
  }

  #hasAll(tables: readonly string[]): boolean {
    return tables.every((table) => this.#tables.has(table));
  }
}
