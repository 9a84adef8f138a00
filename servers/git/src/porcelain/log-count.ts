import { type Command, command } from '../run/command.ts';
import { FIELDS, startOf } from './log.ts';
import type { LogPage } from './log-page.ts';
import { isFiltered, type LogQuery, walkOf } from './log-query.ts';

/**
 * Builds the command that prints how many commits `logCommand` will print; undefined where that depends on their
 * changes.
 */
export function countCommand(query: LogQuery, page: LogPage): Command | undefined {
  if (isFiltered(query)) return undefined;
  const { flags, options, operands } = walkOf(query);
  const { skip, count } = startOf(query, page);
  return command('rev-list', {
    flags: [...flags, '--count'],
    options: { ...options, '--skip': skip, '--max-count': count },
    ...operands,
  });
}

/** Counts the commits in the output of `logCommand` or `commitsCommand`, as it comes. */
export class LogCounter {
  commits = 0;
  #rest = '';
  /** records that follow and begin no commit */
  #inside = 0;

  push(chunk: Buffer): void {
    const text = chunk.toString('latin1');
    const end = text.lastIndexOf('\0');
    // a long message comes in many chunks, and is read when it is complete
    this.#rest += text.slice(0, end + 1);
    if (end !== -1) this.#count(this.#rest.slice(0, -1).split('\0'));
    this.#rest = end === -1 ? this.#rest + text : text.slice(end + 1);
  }

  #count(records: readonly string[]): void {
    for (const record of records) {
      if (this.#inside > 0) this.#inside -= 1;
      else if (/^\n?:/.test(record)) this.#inside = / [RC]\d*$/.test(record) ? 2 : 1;
      else {
        this.commits += 1;
        this.#inside = FIELDS - 1;
      }
    }
  }
}
