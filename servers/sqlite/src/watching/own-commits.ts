import type { Committed } from '../changes.ts';
import type { Observation } from '../lane/watching/watched-file.ts';

/** Time within which a seen commit may still be announced, ms. */
const LATE_MS = 1_000;

/**
 * Announced commits of this server, so that the check that finds them does not report them again. If the counts do not
 * prove it, they are reported again.
 */
export class OwnCommits {
  #commits = 0;
  #schema = false;
  readonly #tables = new Set<string>();
  /** commits reported by a check while this server was writing, which may be announced later */
  #loose = 0;
  #looseAt = 0;
  /** number of announcements */
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

  /**
   * Returns whether everything that a check found was announced; while this server is writing, the rest may be
   * announced later.
   */
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
    // a database has one writer at a time
    this.#loose = commits === undefined || commits > own ? 1 : 0;
    this.#looseAt = now;
    return false;
  }

  /** Drops the announced commits if a check that started after the last announcement has ended. */
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
