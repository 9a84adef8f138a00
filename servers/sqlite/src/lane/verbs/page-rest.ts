import { LaneError } from '../../shared/error.ts';
import { SpoolFeed, spoolFacts } from '../../shared/spool.ts';
import { type PageLimits, takePage } from '../../shared/values/page.ts';
import { Answer, type Verb } from '../verb.ts';
import { type PageFacts, partsOf } from './query.ts';

export interface PageRestArgs {
  /** where the rest of the result is */
  readonly path: string;
  /** the number of the row to begin with */
  readonly from: number;
  readonly limits: PageLimits;
}

export interface RestFacts extends PageFacts {
  /** whether rows are missing at the end, since too many would have to be kept */
  readonly incomplete: boolean;
}

/** One page of rows that were kept when the statement ran; it comes after that, as all of a lane's work. */
export const pageRest: Verb<PageRestArgs, RestFacts> = (_call, { path, from, limits }) => {
  const facts = spoolFacts(path);
  if (facts === undefined) throw expired();
  const feed = new SpoolFeed(path, facts, from);
  try {
    const page = takePage(feed, limits);
    const { overflow, rows, key, linesEnd } = page;
    const { columns, tables } = facts;
    const truncated = overflow !== undefined;
    const incomplete = facts.truncated && !truncated;
    return new Answer(
      { rows, key, linesEnd, tables, truncated, kept: truncated, incomplete },
      partsOf(page, columns),
    );
  } finally {
    feed.close();
  }
};

function expired(): LaneError {
  return new LaneError('the rows that the cursor continues are gone', {
    code: 'cursor-expired',
    hint: 'run the query again without cursor',
  });
}
