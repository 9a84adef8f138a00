import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { toPaths } from '../../call/arguments.ts';
import type { LogQuery } from '../../porcelain/log-query.ts';
import { dateFor } from './date.ts';
import type { LogArguments } from './log-schema.ts';
import type { Tips } from './tips.ts';

/** The filters of a log; without any it is the plain history of one commit. */
export type Filters = Omit<LogQuery, 'from' | 'not'>;

/** Returns the filters of a call; without any the object is empty. */
export function filtersOf(args: LogArguments): Filters {
  const { author, committer, grep, fixed, ignore_case, occurs, changed_lines, first_parent, merges } = args;
  const since = dateFor('start_timestamp', args.start_timestamp, 'first');
  const until = dateFor('end_timestamp', args.end_timestamp, 'last');
  const patterned = [author, committer, grep].some((pattern) => pattern !== undefined);
  return {
    ...defined({ author, committer, message: grep }),
    ...(patterned && { patterns: fixed === true ? ('fixed' as const) : ('extended' as const) }),
    ...(ignore_case === true && { ignoreCase: true }),
    ...defined({ since, until, occurs, lines: changed_lines }),
    ...(first_parent === true && { firstParent: true }),
    ...defined({ merges }),
    ...pathsOf(args),
  };
}

export function queryOf({ from, not }: Tips, filters: Filters): LogQuery {
  return { from, ...(not.length > 0 && { not }), ...filters };
}

function pathsOf({ paths, follow }: LogArguments): Pick<Filters, 'paths' | 'follow'> {
  if (follow !== true) return paths === undefined ? {} : { paths: toPaths(paths) };
  const [path, ...others] = toPaths(paths ?? []);
  if (path !== undefined && others.length === 0) return { follow: path };
  throw new ToolError('follow takes exactly one path', { code: 'invalid-arguments' });
}
