import { LaneError } from '../../shared/error.ts';
import { SpoolFeed, spoolFacts } from '../../shared/spool.ts';
import { type PageLimits, takePage } from '../../shared/values/page.ts';
import { Answer, type Verb } from '../verb.ts';
import { type PageFacts, partsOf } from './query.ts';

export interface PageRestArgs {
  /** path of the spooled rest of the result */
  readonly path: string;
  /** index of the first row */
  readonly from: number;
  readonly limits: PageLimits;
}

export interface RestFacts extends PageFacts {
  /** whether rows are missing at the end because the spool limit was reached */
  readonly incomplete: boolean;
}

/** Returns a page of spooled rows. The lane runs calls in order, so spooling has ended. */
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
  return new LaneError('the rows of the cursor are no longer stored', {
    code: 'cursor-expired',
    hint: 'run the query again without cursor',
  });
}
