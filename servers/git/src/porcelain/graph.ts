import { ToolError } from '@rootbound/protocol';
import { type Command, command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { cutPage, type LogPage, type Page } from './log-page.ts';
import { type LogQuery, walkOf } from './log-query.ts';
import { oidOf } from './records.ts';

/** The graph beside a commit: its own row, and the rows that lead to the next one. */
export interface GraphRow {
  readonly oid: Oid;
  readonly row: string;
  readonly below: readonly string[];
}

/**
 * Builds the command that prints the commits of a page in graph order, each with its graph. They may be others than in
 * a log without the graph, since lines must join: `commitsCommand` prints the facts of exactly these.
 */
export function graphCommand(query: LogQuery, { limit, after }: LogPage): Command {
  if (query.follow !== undefined) {
    throw new ToolError('there is no graph of a file that is followed through its names', {
      code: 'invalid-arguments',
      hint: 'give the file as a path instead',
    });
  }
  const walk = walkOf(query);
  return command('log', {
    flags: [...walk.flags, ...walk.comparing, '--graph', '--no-patch'],
    // from the beginning, so that lines that are open at the start of a page are drawn
    options: { ...walk.options, '--format': '%x00%H', '--max-count': (after?.seen ?? 0) + limit + 1 },
    ...walk.operands,
  });
}

/** Reads the output of `graphCommand`. */
export function parseGraphPage(bytes: Buffer, page: LogPage): Page<GraphRow> {
  const rows: { oid: Oid; row: string; below: string[] }[] = [];
  for (const line of bytes.toString('latin1').split('\n').slice(0, -1)) {
    const [picture, oid] = line.split('\0');
    if (oid !== undefined) rows.push({ oid: oidOf(oid)!, row: picture!.trimEnd(), below: [] });
    else rows.at(-1)?.below.push(picture!.trimEnd());
  }
  return cutPage(rows, page, page.after?.seen ?? 0);
}
