import { type Hit, hitsIn } from '../searching/hits.ts';
import { explainSearchError, plainQuery } from '../searching/query.ts';
import { searchTables } from '../searching/tables.ts';
import type { Verb } from '../verb.ts';

export interface SearchArgs {
  readonly query: string;
  /** whether the query is plain words */
  readonly plain: boolean;
  readonly table?: string | undefined;
  /** the table and the index in its order to continue from */
  readonly from?: readonly [table: string, place: number] | undefined;
  readonly count: number;
}

export interface SearchFacts {
  /** the columns of each searched table */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** hits grouped by table */
  readonly hits: readonly Hit[];
}

/** Returns matching rows of full-text tables, best first within each table. */
export const search: Verb<SearchArgs, SearchFacts> = (
  { connection },
  { query, plain, table, from, count },
) => {
  const tables = searchTables(connection, table);
  const hits: Hit[] = [];
  for (const one of tables) {
    if (hits.length >= count) break;
    if (from !== undefined && one.name < from[0]) continue;
    const start = from?.[0] === one.name ? from[1] : 0;
    const asked = plain ? plainQuery(query, one.module) : query;
    try {
      hits.push(...hitsIn(connection, one, asked, start, count - hits.length));
    } catch (error) {
      throw explainSearchError(error, one);
    }
  }
  return { tables: tables.map(({ name, columns }) => ({ name, columns })), hits };
};
